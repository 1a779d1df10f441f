"""Words of the Spot checks page: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "nav.reviews": ("Spot checks", "口径抽查"),
    "nav.reviews.help": (
        "People check what code cannot: which caliber a figure has.",
        "人工核对代码判不了的事：数字属于哪个口径。",
    ),
    "reviews.title": ("Spot checks", "口径抽查"),
    "reviews.lead": (
        "Is the answered figure the one that was asked for? A right number under another caliber "
        "passes every other gate, so people look at the likely ones first.",
        "回答的数字是否就是所问的那个数字？数对而口径不同，能通过其他所有门禁，因此由人先看最可能出错的题。",
    ),
    "reviews.tab.queue": ("Queue", "抽查队列"),
    "reviews.tab.agreement": ("Agreement and summary", "一致性与小结"),
    "note.reviews.question": (
        "The address names a question that was not answered in this mode or does not exist; the "
        "first one of the list is shown instead.",
        "网址中的题目不存在，或在此模式下没有作答，已改为显示列表中的第一题。",
    ),
    # how the sample came about
    "reviews.sample": ("How this queue was drawn", "队列如何抽取"),
    "reviews.sample.all": (
        "{risky} of {answered} answered questions of this mode have a risk, and all of them are in "
        "the queue: first those whose figure is read as another caliber's, then those whose number "
        "is right or nearly right, then by the gravest risk.",
        "本模式作答的 {answered} 题中有 {risky} 题存在口径风险，全部进入队列："
        "读出为其他口径的数字最前，其次是数字正确或接近的，再按最重的风险排序。",
    ),
    "reviews.sample.drawn": (
        "Of the {without} others, {drawn} are drawn by the smallest SHA-256 of run and question "
        "(one in {share}, at least one); one of them stands at every {share}th place.",
        "其余 {without} 题按“运行+题目”的 SHA-256 从小到大抽取 {drawn} 题"
        "（每 {share} 题抽 1 题，至少 1 题），队列中每第 {share} 位放一题。",
    ),
    "reviews.sample.same": (
        "The same run always gives the same queue, whoever looks; what is checked stays in it.",
        "同一运行总得到同一队列，与查看者无关；已核对的题保留在队列中。",
    ),
    "reviews.none_answered": (
        "No question was answered in this mode, so there is no figure to check.",
        "此模式下没有任何题作答，没有可核对的数字。",
    ),
    # filters
    "reviews.risks": ("Risk, checked of queued", "风险（已核对 / 队列）"),
    "reviews.risks.help": (
        "A question may have several risks. Risks add up, states narrow.",
        "一题可有多项风险。多个风险取并集，状态取交集。",
    ),
    "reviews.states": ("State", "状态"),
    "reviews.states.help": (
        "Open: nobody has checked it. Once, twice: by one person, or by two or more who agree. "
        "Disputed: two people or more who differ. Mine: checked by you. Locked: somebody "
        "else is checking it at this moment.",
        "待核对：尚无人核对。一人、两人：一人核对，或两人及以上且一致。有分歧：两人及以上意见不同。我已核对：您核对过。占用中：他人此刻正在核对。",
    ),
    "reviews.cell": (
        "Only where the rule said {rule} and people say {fit}",
        "仅显示：规则判为{rule}，人工判为{fit}",
    ),
    "reviews.any": ("anything", "不限"),
    "reviews.cell.leave": ("Show every question", "显示全部题目"),
    "reviews.shown": ("{n} of {total} in the queue", "队列 {total} 题中的 {n} 题"),
    "reviews.none": ("No question of the queue matches.", "队列中没有符合的题目。"),
    "reviews.row.open": ("▸ {n}", "▸ {n}"),
    "reviews.open": ("Open this question", "打开此题"),
    "reviews.locked_by": ("{name} is checking it", "{name} 正在核对"),
    "reviews.outside": (
        "This question is not in the queue: it has no risk and was not drawn. It can be checked "
        "all the same.",
        "此题不在队列中：没有口径风险，也未被抽中；仍可核对。",
    ),
    # the item
    "reviews.page": ("Page of the filing", "原文页面"),
    "reviews.page.hide": ("Hide the page", "收起原文"),
    "reviews.evidence": ("What the answer was made from", "回答的依据"),
    "reviews.page.none": (
        "Choose a document and a page in the form to see it here.",
        "在表单中选定文件与页码后在此显示。",
    ),
    "reviews.full": ("Full page of this question", "此题的完整页面"),
    "reviews.full.note": (
        "Other pages show the verdict that holds: look at them after saving.",
        "其他页面会显示当前有效的判定，请保存后再看。",
    ),
    # the form
    "check.title": ("Your check", "您的核对"),
    "check.again": ("Check again", "重新核对"),
    "check.fit": ("Is it the figure that was asked for?", "是否为所问的数字？"),
    "check.confidence": ("How sure?", "把握程度"),
    "check.asked": ("Caliber asked for", "所问口径"),
    "check.gold": ("Caliber of the gold", "金标口径"),
    "check.answered": ("Caliber of the answer", "回答口径"),
    "check.answered.choose": ("choose", "请选择"),
    "check.answered.first": (
        "Say which caliber the answer has: a conflict is between two named figures.",
        "请选择回答的口径：口径不符须写明是哪两个口径。",
    ),
    "check.caliber.first": (
        "Say which caliber was asked for, and which the gold has: set and question do not tell.",
        "请选择所问口径与金标口径：题集与题目未写明。",
    ),
    "check.fit.first": ("Choose a verdict first.", "请先选择判定。"),
    "check.doc": ("Evidence: document", "依据文件"),
    "check.doc.none": ("none", "无"),
    "check.page": ("page", "页码"),
    "check.note": ("Note", "备注"),
    "check.note.placeholder": (
        "What decided it, for whoever audits this later",
        "判断依据，供之后审计的人参考",
    ),
    "check.blind": (
        "Blind: this form shows no verdict. What others, and the rule, say is shown after you have "
        "saved.",
        "盲评：本表单未显示任何判定，他人与规则的判定在您保存后才显示。",
    ),
    "check.not_blind": (
        "Not blind: a verdict of it (the rule's, or a check) is or was shown to you, and the check "
        "will say so.",
        "非盲评：您已看到此题的判定（规则或核对），核对记录会注明。",
    ),
    "check.locked": (
        "{name} is checking this question until {until}. You can read it, and save from then on.",
        "{name} 正在核对此题，至 {until} 为止。您可以阅读，此前不能保存。",
    ),
    "check.free": (
        "Free: from your first choice on it is kept for you for ten minutes.",
        "无人核对：自您第一次选择起为您保留十分钟。",
    ),
    "check.cancel": ("Cancel", "取消"),
    "check.yours": ("Yours to check until {until}", "由您核对，至 {until}"),
    "check.unlocked": (
        "The store cannot be written, so nothing can be saved here; reading goes on.",
        "存储不可写，无法保存；仍可阅读。",
    ),
    "check.outdated": (
        "Version {n} of this run is newer: checks are saved there.",
        "此运行已有更新的第 {n} 版，请在新版中核对。",
    ),
    "check.lost": (
        "The run is not in this store any more, so nothing can be saved. Pick another run.",
        "该运行已不在本存储中，无法保存，请选择其他运行。",
    ),
    # Bold: the one button of the form that goes on.
    "check.save": ("**Save and next**", "**保存并看下一题**"),
    # what was said
    "check.saved": ("Saved: {fit}", "已保存：{fit}"),
    "check.saved.next": ("Next: {id}", "下一题：{id}"),
    "check.saved.over": (
        "The end of the list is reached: it goes on from its start with {id}.",
        "已到列表末尾，从头继续：{id}。",
    ),
    "check.saved.end": (
        "Nothing else in this list is left for you to check.",
        "列表中已没有需要您核对的题目。",
    ),
    "check.first_of_two": (
        "A second person has not checked it yet.",
        "尚无第二人核对。",
    ),
    "check.agree": ("Both people say the same.", "两人判定一致。"),
    "check.differ": (
        "People differ. The newest check holds; a third one can settle it.",
        "判定有分歧，以最新一条为准，可由第三人核对。",
    ),
    "check.beside": ("What has been said of it", "各方判定"),
    "check.who": ("Who", "核对人"),
    "check.you": ("you", "您"),
    "check.rule": ("Rule", "规则"),
    "check.told": ("told by the numeric gate: {why}", "由数字门判出：{why}"),
    "check.verdict": ("Verdict", "判定"),
    "check.calibers": ("Asked / gold / answer", "所问 / 金标 / 回答"),
    "check.evidence": ("Evidence", "依据"),
    "check.when": ("When", "时间"),
    "check.blind.yes": ("blind: the form showed no verdict", "盲评：表单未显示判定"),
    "check.blind.no": ("not blind", "非盲评"),
    "check.holds.person": (
        "The verdict of {name} holds, here and in every gate: {fit}. The rule's ({rule}) is kept "
        "beside it.",
        "此处及各门禁以 {name} 的判定为准：{fit}。规则判定（{rule}）保留在旁。",
    ),
    "check.holds.rule": (
        "The rule's verdict holds: {rule}. People's are kept beside it.",
        "以规则判定为准：{rule}。人工判定保留在旁。",
    ),
    "check.outcome": ("Outcome: {rule} by rule, {now} now.", "结果：规则为{rule}，现为{now}。"),
    "check.outcome.same": ("Outcome: {now}, as by rule.", "结果：{now}，与规则相同。"),
    "check.named": ("{name}: {what}", "{name}：{what}"),
    "check.sure": ("sure: {how}", "把握：{how}"),
    "check.keys": ("Keys and what they do", "快捷键及其作用"),
    # agreement
    "agree.none": (
        "Nobody has checked a question of this mode yet. Agreement, coverage and the summary for "
        "an audit follow from the first check on.",
        "此模式尚无人核对。第一条核对之后，这里给出一致性、覆盖率与审计小结。",
    ),
    "agree.people": (
        "Questions that two people or more checked: {n}; they say the same of {k}: {share} "
        "({low} to {high}, 95%).",
        "由两人及以上核对的题：{n}；其中判定一致：{k}，{share}（95% 区间 {low} 至 {high}）。",
    ),
    "agree.first": (
        "Kappa is of the first two people of each question; the share is of all of them.",
        "Kappa 按每题最先核对的两人计算；一致率按该题全部核对人计算。",
    ),
    "agree.people.none": (
        "No question has been checked by two people yet.",
        "尚无由两人核对的题目。",
    ),
    "agree.not_blind": (
        "{k} of {n} checks that stand are not blind.",
        "有效的 {n} 条核对中有 {k} 条为非盲评。",
    ),
    "agree.kappa": ("Cohen's kappa: {kappa}", "Cohen's kappa：{kappa}"),
    "agree.kappa.flat": (
        "Cohen's kappa: no variation. Everybody said the same of every question, so there is no "
        "agreement beyond chance to measure.",
        "Cohen's kappa：无变化。所有人对所有题目判定相同，无法衡量超出偶然的一致性。",
    ),
    "agree.between": ("Between people", "人与人"),
    "agree.rule": ("People and the rule", "人与规则"),
    "agree.rule.k": (
        "Questions on which both gave a verdict: {n}; people and the rule say the same of {k}: "
        "{share} ({low} to {high}, 95%).",
        "双方均有判定的题：{n}；人工与规则一致：{k}，{share}（95% 区间 {low} 至 {high}）。",
    ),
    "agree.rule.none": (
        "There is no question yet on which both the rule and a person gave a verdict.",
        "尚无规则与人工均有判定的题目。",
    ),
    "agree.matrix": ("Rule (rows) against people (columns)", "规则（行）对人工（列）"),
    "agree.matrix.head": ("Rule \\ people", "规则 \\ 人工"),
    "agree.matrix.open": ("A count opens its questions.", "点击数字可打开对应题目。"),
    "agree.coverage": ("Coverage by risk", "按风险的覆盖率"),
    "agree.risk": ("Risk", "风险"),
    "agree.answered": ("Answered", "作答"),
    "agree.queued": ("In the queue", "进入队列"),
    "agree.checked": ("Checked", "已核对"),
    "agree.all": ("all together", "合计"),
    "agree.coverage.note": (
        "A question with several risks counts in each of them.",
        "一题可有多项风险，各项分别计数。",
    ),
    "agree.more": ("{n} more", "另有 {n} 题"),
    "agree.disputed": ("Disputed", "有分歧"),
    "agree.disputed.none": ("People differ on no question.", "没有意见不一的题目。"),
    "agree.third": ("Give a third check", "进行第三次核对"),
    "agree.reveal": (
        "Show what was said (your check will not be blind)",
        "显示各方判定（您的核对将不再是盲评）",
    ),
    "agree.hidden": (
        "You have not checked it: what was said stays hidden so that yours can be blind.",
        "您尚未核对此题：各方判定暂不显示，以便盲评。",
    ),
}
