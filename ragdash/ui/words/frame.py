"""Words of the frame, notes, faults and marks in text: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    # frame
    "lang.label": ("Language / 语言", "语言 / Language"),
    "nav.runs": ("Runs", "运行"),
    "nav.compare": ("Compare", "模式对比"),
    "nav.triage": ("Triage", "分诊"),
    "nav.question": ("Question", "单题"),
    "nav.judge": ("Judge", "评判"),
    "nav.attacks": ("Attacks", "攻击用例"),
    "nav.runs.help": ("All runs of this store, newest first.", "本存储中的全部运行，最新在前。"),
    "nav.compare.help": (
        "The modes of one run, metric by metric.",
        "同一运行的各模式，逐指标对比。",
    ),
    "nav.triage.help": ("Which questions were lost, and where.", "哪些题失败，失败在哪一层。"),
    "nav.question.help": ("One question with all its evidence.", "单题及其全部证据。"),
    "nav.judge.help": (
        "What a model said of the answers, and how far it can be trusted.",
        "模型对回答的评判，以及它有多可信。",
    ),
    "nav.attacks.help": ("Hostile fixtures against policies.", "对抗用例与各策略。"),
    "frame.run": ("Run", "运行"),
    "frame.run.help": (
        "A run, or RUN:mode for one of its modes. It is part of the address, so a link reopens it.",
        "一次运行，或 RUN:模式 表示其中一个模式。它写在网址里，链接可直接打开。",
    ),
    "frame.mode": ("Mode", "模式"),
    "frame.mode.all": ("All modes", "全部模式"),
    "fact.corpus": ("Corpus", "语料"),
    "fact.questions": ("Questions", "题集"),
    "fact.generator": ("Generator", "生成"),
    "fact.judge": ("Signals", "信号"),
    "colon": (": ", "："),
    "listing": (", ", "、"),
    "fact.imported": ("Imported from", "导入自"),
    "fact.top_k": ("Top k", "Top k"),
    "fact.started": ("Started", "开始"),
    "fact.version": ("Version", "版本"),
    "fact.status": ("Status", "状态"),
    "note.run": (
        "The address names a run that is not in this store; the newest one is shown instead.",
        "网址中的运行不在本存储中，已改为显示最新的运行。",
    ),
    "note.question": (
        "The address names a question that this run does not have; the first one is shown instead.",
        "网址中的题目不在本运行中，已改为显示第一题。",
    ),
    "note.base": (
        "The address names a base that is no mode of this run and no run over questions in this "
        "store; the first mode is the base.",
        "网址中的基准既不是本运行的模式，也不是本存储中的评测运行，已改用第一个模式作为基准。",
    ),
    "note.base.gone": (
        "The address names a base whose run file is not in the store any more; it is ignored. "
        "`ragdash db check` says what is there.",
        "网址中的基准运行的文件已不在存储中，已忽略。可用 `ragdash db check` 查看存储内容。",
    ),
    "note.base.self": (
        "The address names the run on view as its own base; the first mode is the base.",
        "网址把当前运行作为它自己的基准，已改用第一个模式作为基准。",
    ),
    "note.base.mode": (
        "The address names a base, and no mode to hold against it; it is ignored.",
        "网址中有基准，但没有与之对比的模式，已忽略。",
    ),
    "note.base.triage": (
        "The address names a base that does not exist or is the mode on view itself; it is "
        "ignored.",
        "网址中的基准不存在，或就是当前模式本身，已忽略。",
    ),
    "note.base.refused": (
        "The address names a base that this mode cannot be held against; Compare says why.",
        "当前模式与网址中的基准不可对比，原因见对比页。",
    ),
    "note.filter": (
        "The address holds a filter value that does not exist; it is ignored.",
        "网址中含有不存在的筛选值，已忽略。",
    ),
    "note.page": (
        "The address names a page of the list that does not exist; the nearest one is shown.",
        "网址中的页码不存在，已改为显示最近的一页。",
    ),
    "note.lang": (
        "The address names a language that there is not; English and Chinese are offered.",
        "网址中的语言不存在；可选英文与中文。",
    ),
    "note.mode": (
        "The address names a mode that this run does not have; the run is shown without it.",
        "网址中的模式不在本运行中，已显示该运行但未限定模式。",
    ),
    "note.attack_run": (
        "The address names an attack run, which only the Attacks page shows; the newest "
        "evaluation run is shown instead.",
        "网址中的是攻击运行，只在攻击用例页显示；此处已改为显示最新的评测运行。",
    ),
    "note.attack": (
        "The address names an attack run that is not in this store; the newest one is shown.",
        "网址中的攻击运行不在本存储中，已改为显示最新的一次。",
    ),
    "note.case": (
        "The address names a case that this attack run does not have; all of its cases are shown.",
        "网址中的用例不在本次攻击运行中，已改为显示全部用例。",
    ),
    "note.named": ("In the address:", "网址中的值："),
    "generator.extractive": ("extractive, no LLM", "抽取式，无 LLM"),
    # empty store, faults
    "empty.title": ("No runs yet", "还没有运行"),
    "empty.body": (
        "This store holds no finished run. The demo makes one from typeset filings, with no key "
        "and no network:",
        "本存储中还没有完成的运行。演示会用排版好的财报跑出一次，无需密钥，也不联网：",
    ),
    "empty.own": ("Or run your own filings and questions:", "或使用你自己的财报和题集："),
    "empty.attacks": ("No attack run yet", "还没有攻击运行"),
    "empty.attacks.body": (
        "The published six fixtures take a second and no model:",
        "公开的六个用例一秒内跑完，不需要模型：",
    ),
    "fault.store": ("The store cannot be read", "存储无法读取"),
    "fault.older": (
        "Its version is {found}; this ragdash works with version {known}. Bring the store up to "
        "date, its runs and reviews stay:",
        "其版本为 {found}，当前 ragdash 使用版本 {known}。请升级存储，其中的运行和复核会保留：",
    ),
    "fault.newer": (
        "Its version is {found}; this ragdash knows versions up to {known}. Use the ragdash that "
        "wrote it, or a newer one:",
        "其版本为 {found}，当前 ragdash 最高支持版本 {known}。请使用写入它的或更新的 ragdash：",
    ),
    "fault.run": ("This run's file cannot be read", "本运行的文件无法读取"),
    "fault.run.missing": ("This run's file is missing", "本运行的文件不存在"),
    "fault.others": ("Other runs of this store:", "本存储中的其他运行："),
    "fault.others.none": (
        "This store holds no other run of this kind that has its file.",
        "本存储中没有其他同类且文件存在的运行。",
    ),
    "fault.all": ("All runs", "全部运行"),
    # text
    "text.empty": ("(empty)", "（空）"),
    "text.whole": ("Download the whole text", "下载全文"),
}
