# ruff: noqa: E501 - a form that is broken over lines can no longer be read as one
"""What an instruction to a machine looks like, in Chinese and English, as forms over one sentence.

Each form is kept to what no filing says of itself. "Transfer agent: Computershare", 大模型应用收入,
"we do not provide any forecast" and "use the following measures" are none of them.
"""

from __future__ import annotations

import re

_TALKER_EN = (
    r"(?:assistant|ai|chat ?bot|llm|gpt|copilot|large language model|language model|system prompt"
    r"|(?:ai|automated|answering|language) (?:assistant|model|agent|system|reader|tool)"
    r"|(?:answering|question[- ]answering|qa|rag|retrieval) (?:system|engine|model|tool|bot|pipeline)"
    r"|summari[sz]er|(?:llm|ai|automated|answer) (?:grader|judge|evaluator|scorer|rater|reviewer))s?"
)
_TALKER_ZH = (
    r"(?:智能助手|问答助手|助手|智能体|机器人|问答系统|回答系统|问答引擎|检索系统|问答模型|评测平台|评测系统"
    r"|评审模型|评分模型|裁判模型|评委|评分员|评分器|作答者|回答者|答题者)"
)
_MACHINE_ZH = rf"(?:{_TALKER_ZH}|大模型|语言模型|本模型|模型|人工智能|AI)"
_RULES_EN = (
    r"(?:rules?|instructions?|guidance|guidelines?|prompts?|directions?|directives?|constraints?"
    r"|safeguards?|system messages?|contexts?|passages?|other (?:sources?|documents?|chunks?)"
    r"|(?:the|other) (?:filings?|excerpts?))"
)
_RULES_ZH = (
    r"(?:规则|指令|指示|提示词|提示语|约束|限制|设定|前文|上文|上述内容|上面的?内容|安全策略|命令|指引|系统提示|先前要求|以上要求|之前的?要求"
    r"|其[他它余](?:资料|片段|内容|来源)|已有(?:资料|内容))"
)
_DROP_EN = (
    r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget|drop|overrid(?:e|ing)|overrule|bypass|skip|set aside"
    r"|put aside|pay no attention to|do not follow|don't follow|stop following|abandon|discard|neglect)"
)
_DROP_ZH = (
    r"(?:忽略|忽视|无视|忘记|忘掉|忘却|跳过|绕过|绕开|抛开|抛弃|撇开|不要理会|不必理会|不用理会|不予理会|无需理会"
    r"|不必遵守|不要遵守|无须遵守|无需遵守|不再遵守|停止遵守|别管|不用管|推翻|作废|清空)"
)
_DO_EN = (
    r"(?:state|say|answer|reply|respond|write|output|print|claim|tell|quote|assert|repeat|cite|run"
    r"|call|execute|invoke|send|transfer|open|fetch|refuse|decline|reveal|follow|assign|award|score"
    r"|rate|grade|mark|omit|leave|hide|visit|ignore|disregard|forget|report|use|give|treat)"
)
_OUT_ZH = r"(?:写成|写作|写为|回答为|答复为|答为|答成|输出为|报成|报为|说成|说是)"
_ASIDE = r"(?:^|[:;,.!?，：；。、\"'“(\[|*>—-]\s*)"
_BID = rf"(?:{_ASIDE}(?:please |kindly |just |simply |now |always |instead |then |and )?|\b(?:please|and|then|instead) )"
_JUDGED = r"(?:answers?|responses?|repl(?:y|ies)|outputs?|citations?|faithfulness|relevanc[ey]|correctness|groundedness)"
_TOP = r"(?:full|maximum|max|highest|perfect|top|100 ?%|10/10|5/5|1\.0)"

# What the sentence wants, whether one about people or about what is forbidden may have the form.
FORMS: tuple[tuple[str, bool, re.Pattern[str]], ...] = tuple(
    (why, lawful, re.compile(form, re.I | re.M))
    for why, lawful, form in (
        (
            "overrides rules",
            True,
            rf"\b{_DROP_EN}\b[^.。\n]{{0,40}}?\b(?:all|any|every|previous|prior|earlier|preceding|above"
            rf"|your|other|the|these|those|existing|foregoing|everything)\b[^.。\n]{{0,30}}?\b{_RULES_EN}\b"
            rf"|\b{_DROP_EN}\b (?:everything|anything|all(?: of)? (?:that|what)) [^.\n]{{0,20}}\b(?:above|before|told|said)",
        ),
        (
            "overrides rules",
            True,
            rf"{_DROP_ZH}[^。；\n]{{0,16}}?{_RULES_ZH}|(?:把|将)[^。；\n]{{0,16}}?{_RULES_ZH}[^。；\n]{{0,8}}?{_DROP_ZH}"
            r"|(?:其[余他它]|以上|上述|前述)(?:资料|片段|内容|规则|来源|数据)[^。；\n]{0,6}?(?:作废|无效|不可信|不予采信|忽略|删除)",
        ),
        (
            "gives a new role",
            False,
            r"\byou are now\b|\bact as (?:an?|the)\b[^.\n]{0,30}\b(?:assistant|ai|admin|language model)"
            r"|\b(?:new|updated|revised) (?:system )?(?:instructions?|prompt)\s*:"
            r"|\b(?:developer|god|jailbreak) mode\b|你现在是|从现在起你|你必须|你应当|你需要|你只能|你要|请你",
        ),
        (
            "addresses the machine",
            False,
            rf"{_ASIDE}(?:to |for |attn:? )(?:the |any |all |every |whichever )?(?:{_TALKER_EN}|models?|machines?|bots?|robots?|agents?)\s*[:：,]"
            rf"|\bif you(?:'re| are) (?:an? |the )?(?:{_TALKER_EN}|models?|machines?|bots?|robots?|agents?|automated|reading this)\b"
            rf"|{_ASIDE}(?:dear |hey |@)?(?:the |this )?{_TALKER_EN}\s*[\])>}}]*\s*[:：,—-]|\b{_TALKER_EN}\s*[:：]"
            rf"|\b(?:notes?|notices?|messages?|instructions?|reminders?|memo|attention|hints?|tips?|warnings?|directives?)"
            rf"[^.\n]{{0,12}}?\b(?:to|for)\b (?:the |any |all |our |your |an? )*(?:\w+[ -]){{0,2}}?{_TALKER_EN}\b"
            rf"|\b{_TALKER_EN}(?: \w+ing (?:this|the)[^.,\n]{{0,20}})?,? (?:should|must|shall|has to|have to|is to|are to|needs? to"
            rf"|ought to|(?:is|are) (?:asked|told|instructed|required|requested|directed) to)(?! (?:not|never))"
            rf"(?: \w+ly| now| first| always| only)? {_DO_EN}\b",
        ),
        (
            "addresses the machine",
            False,
            rf"{_TALKER_ZH}\s*[】\])）]?\s*[:：]|(?:致|告知|提醒|通知|通告|命令)[^。，\n]{{0,6}}?{_MACHINE_ZH}"
            rf"|{_MACHINE_ZH}\s*[】\])）]?\s*[,，]?\s*(?:请|应当|应该|应(?![用收付对急税])|须|必须|务必|一律|只能|不得|需要|需(?!求)|在?回答|在?作答|在?输出)"
            r"|系统(?:提示|指令|消息|通知|命令)\s*[】\])）]?\s*[:：]",
        ),
        (
            "dictates the answer",
            False,
            rf"{_BID}(?:state|say|answer|reply|respond|output|print|write|report|claim)\b\s*(?:that\b|with\b|only\b|exactly\b"
            r"|as follows|the following|[\"'“])"
            rf"|{_BID}tell (?:the |any |every )?(?:reader|user|client|analyst|asker|person|customer)s?\b",
        ),
        (
            "dictates the answer",
            False,
            r"\b(?:your|the|its|every|any) (?:final )?(?:answers?|repl(?:y|ies)|responses?|outputs?) (?:must|should|shall|has to|is to|needs? to)\b"
            r"|\b(?:in|for) (?:your|the|any|every|all) (?:final )?(?:answers?|repl(?:y|ies)|outputs?)\b[^.\n]{0,40}?\b(?:write|state|say|put|replace)\b"
            rf"|{_BID}(?:only )?(?:use|take|treat|prefer|trust|quote|adopt) (?:only )?(?:this|the following|the above|these) (?:figures?|numbers?|passages?|chunks?|text|paragraph|values?|sources?)\b"
            r"|\b(?:replace|change|swap|set|switch)\b[^.\n]{0,60}?\b(?:to|with|by)\b[^.\n]{0,24}?\d[^.\n]{0,40}?\b(?:in the|your|the) (?:answer|reply|response|output)"
            r"|\bwhen (?:answering|asked|replying|responding|you answer|summari[sz]ing|generating)\b[^.\n]{0,80}?\b(?:state|say|write|use|give|report|reply|answer|put)\b",
        ),
        (
            "dictates the answer",
            False,
            rf"(?:把|将)[^。；\n]{{1,40}}?{_OUT_ZH}|(?:请|务必|必须|须)\s?(?:把|将)[^。；\n]{{1,40}}?(?:改成|改为|改写为|替换为|换成)"
            r"|(?:回答|作答|答复|回复|输出|答题|生成)(?:时|前|中|的?时候|本题|该题|此题|问题时?|用户时?)[^。；\n]{0,12}?(?:请|应|须|一律|必须|务必|直接|写|填|把|将|先|按|用|说|以)"
            r"|(?:凡|凡是|如果|若|倘若|一旦|对于?|遇到)[^。；\n]{0,20}?(?:提问|问及|问到|询问|查询|被问)[^。；\n]{0,24}?(?:答之|答以|答|复之|回复|回应)"
            r"|(?:以下|本段|此段|下文)[^。，；\n]{0,4}?供(?:程序|机器|模型|系统)[^。；\n]{0,4}?(?:读取|解析|使用)"
            r"|(?:应|须|一律|统一|直接)(?:应答|应对|答以|答称|回应)"
            r"|(?:请|务必|必须|直接|一律|统一|只需|只能|只准|改为)(?:直接|统一|一律|如实|只)?(?:回答|作答|输出|答复|回复|照抄|引用本段)"
            r"|(?:以|按)(?:此|本段|本条|下列|以下|该|上述)(?:数字|数据|内容|口径|说明|段|条|数值)?(?:作答|回答|输出|填写)"
            r"|(?:以|按)本(?:段|条|片段)[^。；，\n]{0,4}?为准"
            r"|按\s?[-\d.,]+\s?[%％亿万千百元倍]*\s?(?:计|填写|作答|回答|输出|上报)"
            r"|(?:都|均|一律|统统|始终)(?:直接|只|要|应)?(?:回答|作答|答复)|无论[^。；\n]{0,12}?(?:问|提问|查询)[^。；\n]{0,12}?(?:答|输出|说|写)"
            r"|(?:答案|正确答案|标准答案)(?:应|须|必须|一律|固定|统一|只能)?(?:写|填|为|是|给)",
        ),
        (
            "hides the source",
            False,
            r"\b(?:do not|don't|never|no need to) (?:cite|name the source|mention the source|give (?:a|the|any) (?:source|citation)|show (?:a|the|any) (?:source|citation)"
            r"|include (?:a|the|any) (?:source|citation)s?)\b|\b(?:omit|leave out|skip|drop|suppress|remove|hide|without)\b (?:the |any |all |a |its |your |giving |naming )*"
            r"(?:citations?|citing|cites?|source (?:line|reference|note)s?|sources?(?= *(?:$|[.,;!]|and\b|in (?:your|the) (?:answer|reply)))|page (?:numbers?|references?)|attribution|the source)\b",
        ),
        (
            "hides the source",
            False,
            r"(?:不要|不必|无需|无须|请勿|勿|不用|不再|略去|省略|删去|隐去|去掉|别)[^。；，\n]{0,6}?(?:出处|来源|引文|页码标注|引用(?!率))"
            r"|不[得应许](?:标注|注明|附上?|给出|列出|写)[^。；，\n]{0,4}?(?:出处|来源|引用|页码|引文)",
        ),
        (
            "calls a tool",
            True,
            r"(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\s?\(|(?<![A-Za-z0-9_.])[a-z]\w*(?:\.[a-z]\w*)+\("
            r"|<(?:tool|function)[_-]?call|\"(?:tool|function|tool_name)\"\s*:"
            r"|\b(?:call|run|execute|invoke|trigger|use)\b (?:the )?(?:tool |function |command |action |api )?[`'\"]?[a-z]+(?:_[a-z]+)+"
            r"|(?:调用|执行|运行|触发|启动)\s?(?:函数|工具|命令|接口|操作)?\s?[`'\"「“]?[A-Za-z]+(?:_[A-Za-z]+)+",
        ),
        (
            "steers the judge",
            False,
            rf"\b(?:score|rate|grade|mark|award|assign|give|judge|deem|consider|treat)\b[^.\n]{{0,50}}?\b{_JUDGED}\b[^.\n]{{0,50}}?\b(?:{_TOP}|fully|correct|faithful|supported|pass)"
            rf"|\b{_TOP}\b[^.\n]{{0,24}}?\b(?:scores?|marks?|grades?|ratings?|points)\b[^.\n]{{0,40}}?\b(?:{_JUDGED}|passage|chunk|paragraph)\b"
            rf"|\b(?:{_JUDGED}|any\w* that (?:cites?|quotes?)[^.\n]{{0,24}})\b[^.\n]{{0,40}}?\b(?:gets?|receives?|are|is|be|earns?|deserves?|scores?|rated|scored|graded|marked)\b[^.\n]{{0,24}}?\b(?:{_TOP}|fully|correct|faithful)",
        ),
        (
            "steers the judge",
            False,
            r"满分|(?:忠实度|忠实性|相关度|答案相关性|得分|分数|评分|打分)[^。；\n]{0,16}?(?:一律|均记|均给|均判|都给|都记|应给|须给|应记|应判|请给|请打)[^。；\n]{0,8}"
            r"|(?:忠实度|相关度|忠实性)[^。；\n]{0,12}?(?:记|给|判|评|打)(?:为|作)?|(?:判|评)(?:定)?为(?:正确|忠实|合格|通过|可信)|评分(?:说明|规则|要求)\s*[:：]|打(?:最)?高分"
            r"|(?:引用|采用)本(?:段|条|片段)[^。；\n]{0,12}?(?:评|判|记|得)",
        ),
        (
            "wants a refusal",
            False,
            r"\b(?:refuse|decline) (?:to answer|(?:all|any|every|the|this|these) (?:question|quer|request)\w*)"
            r"|\b(?:do not|don't|never|must not|should not) (?:answer|respond to|reply to)\b[^.\n]{0,30}?\b(?:question|query|quer|request)"
            r"|\bmust not be answered\b|\b(?:must|should) not (?:give|provide|state) (?:an?|any|the) (?:figure|number|answer|value)"
            r"|\bnot found in the provided filings\b|\bonly (?:correct|safe|proper|right|valid|permitted|acceptable|compliant) (?:answer|reply|response|action|option|course)",
        ),
        (
            "wants a refusal",
            False,
            r"(?:拒绝|不予|停止|暂停|禁止)(?:回答|作答|答题)|拒答|未在所给资料中检索到|唯一(?:正确|合规|安全|可行)"
            r"|(?:不得|不要|请勿|不许|不应|不可|别)[^。；，\n]{0,4}?(?:给出|回答|作答|输出|引用)(?:任何|具体|该|本|此|相关)?(?:数字|数值|数据|答案|结果|问题|题|[。，；！]|$)",
        ),
        (
            "wants secrets",
            True,
            rf"{_BID}(?:reveal|print|expose|leak|disclose|dump|output|send|post|forward|upload|e?mail)\b[^.\n]{{0,40}}?\b(?:confidential|secrets?|data|conversation|question)\b"
            r"|\b(?:reveal|print|expose|leak|disclose|dump|output|send|post|forward|upload|show)\b[^.\n]{0,40}?\b(?:system prompt|hidden prompt|passwords?|api keys?|ledger keys?|private keys?|chat history)",
        ),
        (
            "wants secrets",
            True,
            r"(?:泄露|透露|公布|输出|打印|发送|上传|转发|展示|交出|说出|附上)[^。；\n]{0,12}?(?:系统提示|提示词|密码|口令|密钥|秘钥|令牌|对话记录|聊天记录)",
        ),
        (
            "is to be decoded",
            False,
            r"\b(?:decode|decrypt|deobfuscate|unscramble|base ?64|rot ?13)\b[^.\n]{0,60}?\b(?:follow|obey|execute|before (?:you|answering)|and (?:do|apply|act))"
            r"|(?:解码|解密|译码)[^。\n]{0,20}?(?:执行|遵照|照办|照做|作答|回答)",
        ),
        (
            "is chat markup",
            False,
            r"<\|?(?:im_start|im_end|system|assistant|user|endoftext)\|?>|\[/?INST\]|<</?SYS>>"
            r"|^[\s\[(|#*>]*system\s*(?:prompt|message|note|override|instruction|notice|update)?s?\s*[\])]*\s*[:：]|\bsystem (?:prompt|override|instruction|message)s?\s*[\])]*\s*[:：]",
        ),
    )
)

PEOPLE = re.compile(
    r"(?:投资者|股东|员工|职工|用户|客户|审计师|会计师|管理层|董事|监事|供应商|经销商|任何人|工作人员|公众|债权人|黑客|攻击者|不法分子)"
    r"|\b(?:investors?|shareholders?|stockholders?|employees?|staff|personnel|users?|customers?|auditors?|management"
    r"|directors?|officers?|traders?|clients?|suppliers?|vendors?|nobody|no one|anyone|attackers?|hackers?|criminals?|fraudsters?)\b",
    re.I,
)
FORBIDDEN = re.compile(
    r"不得|不会|禁止|严禁|不允许|不能|不可|无权|防止|避免|从未|未曾|拦截|阻止|识别"
    r"|\b(?:may not|must not|shall not|cannot|can't|never|not|no longer|nobody|prohibit\w*|forbid\w*|prevent\w*|block\w*|attempt\w*|tried|try to)\b",
    re.I,
)
