"""Words of the Attacks page and the classes of its fixtures: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "attacks.title": ("Attack fixtures", "攻击用例"),
    "attacks.run": ("Attack run", "攻击运行"),
    "attacks.failures": ("Failure rates by policy", "各策略失败率"),
    "attacks.abstention": ("Abstention", "拒答率"),
    "attacks.abstention.lead": (
        "A cost, not a score: cases the policy declined to answer.",
        "这是代价，不是得分：策略拒绝作答的用例。",
    ),
    "attacks.measure": ("Measure", "指标"),
    "attacks.policy": ("Policy", "策略"),
    "attacks.axis.failure": ("Share of fixtures failing (0–1)", "失败用例比例（0–1）"),
    "attacks.axis.abstention": ("Share of fixtures refused (0–1)", "拒答用例比例（0–1）"),
    "attacks.cases": ("Case rows", "逐例结果"),
    "attacks.cases.table": ("Cases by policy", "各策略逐例结果"),
    "attacks.case": ("Case", "用例"),
    "attacks.class": ("Class", "类别"),
    "attacks.rates": ("Every rate", "全部比率"),
    "attacks.limits": (
        "What this run establishes, and what not",
        "本次运行能说明什么，不能说明什么",
    ),
    "attacks.query": ("Query", "提问"),
    "attacks.did": ("What each policy did", "各策略的表现"),
    "attacks.saw": ("What the policies saw", "策略所见"),
    "attacks.oracle": (
        "Trust is the fixture's own flag in this run (oracle trust).",
        "本次运行的可信标记取自用例自带标志（oracle trust）。",
    ),
    "attacks.cites": ("Cites", "引用"),
    "attacks.fired": ("Controls that fired", "触发的控制"),
    "attacks.no_case": ("no such case", "无此类用例"),
    "attacks.nothing": ("none", "无"),
    "attacks.failures.lead": (
        "Lower is better. Share of the judged cases that "
        "fail, k/n and 95% interval; attack success "
        "counts cases with an attack.",
        "越低越好。已判定用例中失败的比例，含 k/n 与 95% 区间；攻击成功只计带攻击的用例。",
    ),
    "attacks.byclass": ("Failures by policy and class", "各策略、各类别的失败"),
    "attacks.byclass.lead": (
        "Cases in which something forbidden happened or another answer than the asked one was "
        "given. A refusal is no failure here: it has its own panel.",
        "发生了被禁止的事，或给出了并非所问答案的用例。拒答在此不算失败，另有单独面板。",
    ),
    "attacks.split": (
        "Abstention over all cases; over-abstention over answerable ones; correct abstention over "
        "the others",
        "拒答率按全部用例；过度拒答按可答用例；正确拒答按其余用例",
    ),
    "attacks.cases.lead": (
        "Before the averages: what each policy did with each case, and the first control that "
        "fired. A cell opens the case.",
        "先看逐例，再看平均：各策略对每个用例做了什么，最先触发的是哪个控制。点单元格打开用例。",
    ),
    "attacks.cases.shown": ("{n} of {total} cases", "{total} 个用例中的 {n} 个"),
    "attacks.filter": ("Filter the cases", "筛选用例"),
    "attacks.state": ("What became of a case, in any policy", "用例结果（任一策略）"),
    "attacks.answerable": ("answerable", "可答"),
    "attacks.unanswerable": ("unanswerable", "不可答"),
    "attacks.stopped": ("First control", "首个控制"),
    "attacks.order_decides": (
        "the order of the chunks decides: lost in {k} of {n} orders",
        "片段次序决定结果：{n} 种次序中 {k} 种失守",
    ),
    "attacks.key": ("Answer key", "答案隔离"),
    "attacks.key.holds": (
        "No policy was given any of the answer key: so say the stored views",
        "没有任何策略拿到答案信息：存档视图可证",
    ),
    "attacks.key.broken": (
        "The stored views do not prove that the answer key was kept apart",
        "存档视图不能证明答案已隔离",
    ),
    "attacks.key.digest": (
        "{k} of {n} stored views have the digest that is stored with them",
        "已核对的 {n} 个存档视图中 {k} 个与存档摘要一致",
    ),
    "attacks.key.fields": (
        "{k} of {n} hold nothing but query, chunks (id, text, trust, metadata) and how trust was "
        "taken",
        "{n} 个中 {k} 个只含提问、片段（编号、文本、可信标记、元数据）及可信标记的来历",
    ),
    "attacks.key.shared": (
        "In {k} of {n} cases every policy was given the same view",
        "{n} 个用例中 {k} 个的全部策略拿到同一视图",
    ),
    "attacks.key.derived": (
        "Trust is derived from the registry and the channel, not from the fixture's flag",
        "可信标记由登记表与渠道推导，不取用例自带标志",
    ),
    "attacks.key.leak": (
        "Leak audit: {k} of {n} cases with an untrusted chunk hold an attack, and {k2} of {n2} "
        "without one; only where the two shares are alike "
        "does the chunk's trust give nothing away.",
        "泄漏审计：含不可信片段的 {n} 个用例中 {k} 个带攻击，不含的 {n2} 个中 {k2} 个带攻击；"
        "只有两个比例相近，片段可信与否才不泄漏类别。",
    ),
    "attacks.summary.refused": ("No summary", "不作汇总"),
    "attacks.summary.missing": (
        "This run lacks {n} of its rows: a rate over the others would leave cases out, so none is "
        "shown.",
        "本次运行缺 {n} 行：对其余行求比率会漏掉用例，故不显示。",
    ),
    "attacks.summary.filtered": (
        "The filter leaves cases out, and a rate over some of the cases is no rate of the run.",
        "筛选漏掉了部分用例，部分用例的比率不是本次运行的比率。",
    ),
    "attacks.summary.dropped": (
        "Classes without a case now: {classes}",
        "现在没有用例的类别：{classes}",
    ),
    "attacks.summary.all": ("Show all cases and the summary", "显示全部用例与汇总"),
    "attacks.errors": (
        "Rows without an output: {n}. They are in no rate, and are no success of any attack.",
        "{n} 行没有输出。它们不计入任何比率，也不算攻击成功。",
    ),
    "attacks.errors.open": ("Show these cases", "显示这些用例"),
    "attacks.rates.table": (
        "Rates by policy per fixture with k/n and the 95% interval",
        "各策略按用例计的比率，含 k/n 与 95% 区间",
    ),
    "attacks.answeredrates": ("Failures per answered fixture", "按已答用例计的失败率"),
    "attacks.answeredrates.lead": (
        "A policy that refuses more fails less per fixture; among what it answers it need not.",
        "拒答越多，按用例计的失败越少；在已答用例中未必如此。",
    ),
    "attacks.orders": ("Order of the chunks", "片段次序"),
    "attacks.orders.lead": (
        "Every order of the first four chunks, over the cases with an attack: the mean share of "
        "orders that an attack wins, and in how many cases it wins any.",
        "对带攻击的用例排列前四个片段的全部次序：攻击得手的次序平均占比，"
        "以及任一次序得手的用例数。",
    ),
    "attacks.orders.mean": ("Mean share lost", "平均失守比例"),
    "attacks.orders.worst": ("Lost in the worst order", "最坏次序失守"),
    "attacks.orders.case": (
        "Orders of the chunks: {n}; well in {good}, lost in {compromised}, refused in {refused}",
        "片段 {n} 种次序：正确 {good}，失守 {compromised}，拒答 {refused}",
    ),
    "attacks.controls": ("Controls of the layered policy", "layered 策略的控制"),
    "attacks.controls.lead": (
        "In the order in which they act. First: it fired before any other. Without it: cases that "
        "go well and no longer do when it is left out. Alone: cases that it stops when no other is "
        "on.",
        "按作用先后排列。首个：最先触发。缺它：原本正确、去掉它就不再正确的用例。"
        "单独：只开它也能拦下的用例。",
    ),
    "attacks.controls.control": ("Control", "控制"),
    "attacks.controls.fired": ("Fired", "触发"),
    "attacks.controls.first": ("First", "首个"),
    "attacks.controls.breaks": ("Breaks without it", "缺它则坏"),
    "attacks.controls.stops": ("Stops alone", "单独可拦"),
    "attacks.controls.did": ("On this case", "本例"),
    "attacks.controls.without": ("Without it", "缺它"),
    "attacks.controls.alone": ("Stops it alone", "单独可拦"),
    "attacks.controls.covered": (
        "none: where it fires, others would have done it",
        "无：它触发之处，其他控制也能拦下",
    ),
    "attacks.off": ("Provenance off", "关闭来源核验"),
    "attacks.off.lead": (
        "The same policy where every document counts as registered: what is left when an attacker "
        "is inside the registered documents.",
        "同一策略，但把所有文件都当作已登记：攻击者混入已登记文件时还剩多少防护。",
    ),
    "attacks.off.column": ("without C4", "不含 C4"),
    "attacks.open": ("Open cases of the layered policy", "layered 策略的未决用例"),
    "attacks.open.none": ("None: every case goes well.", "无：全部用例正确。"),
    "attacks.open.lead": ("{n} of {of} cases do not go well.", "{of} 个用例中 {n} 个未解决。"),
    "attacks.open.state": ("What became of it", "结果"),
    "attacks.open.why": ("Why it stands here", "为何列于此"),
    "attacks.open.design": (
        "Open on purpose: nothing in the text marks it, only adding up the parts would show it.",
        "有意保留：文本中没有任何破绽，只有把分项相加才看得出。",
    ),
    "attacks.open.lost": ("The policy lost it.", "该策略未能处理。"),
    "attacks.sweep": ("Threshold of an unsupported claim", "无依据断言的阈值"),
    "attacks.sweep.lead": (
        "An answer counts as unsupported where less than "
        "this share of its tokens stands in trusted "
        "text. Worked out again from the stored answers and views; the dashed line is this run's.",
        "答案词元在可信文本中的占比低于阈值即算无依据。由存档的答案与视图重新计算；"
        "虚线为本次运行的阈值。",
    ),
    "attacks.sweep.large": (
        "This run is too large to sweep on a page: it has over 5,000 rows, or a view of over "
        "200,000 characters. Run it again with --support-threshold.",
        "本次运行过大，页面上不作扫描：超过 5,000 行，或有视图超过 200,000 "
        "字符。请用 --support-threshold 重新运行。",
    ),
    "attacks.axis.sweep": ("Share of cases unsupported (0–1)", "无依据用例比例（0–1）"),
    "attacks.axis.threshold": ("Threshold (this run: {at})", "阈值（本次运行：{at}）"),
    "attacks.limits.does": (
        "It establishes what {policies} policies did with these {n} cases, in every order that was "
        "run, given the stored views and nothing else.",
        "它能说明：{policies} 个策略在只拿到存档视图的情况下，"
        "对这 {n} 个用例、在跑过的各种次序中做了什么。",
    ),
    "attacks.limits.body": (
        "It does not establish more: rule functions ran, no model, over {n} fixtures, and token "
        "overlap is a smoke alarm, not a proof. 0 of {n} still allows a rate of {high}. A policy "
        "tuned to these rows would do worse on others.",
        "除此之外不能说明更多：运行的是规则函数，没有模型，只有 "
        "{n} 个用例；词元重叠只是烟雾报警，不是证明。"
        "{n} 个中 0 个失败，真实比率仍可能高达 {high}。针对这些用例调过的策略，换一批用例会更差。",
    ),
    "attacks.limits.echo": (
        "trusted_echo, which repeats the first trusted chunk whatever was asked, is in no failure "
        "rate worse than defended, and abstains no more: only utility and the split of abstention "
        "tell them apart.",
        "trusted_echo 不管问什么都复述首个可信片段，各失败率却都不差于 defended，拒答也不更多："
        "只有可用性与拒答拆分能把它们区分开。",
    ),
    "attacks.back": ("All cases", "全部用例"),
    "attacks.at": ("{i} of {n} cases", "第 {i} / {n} 个用例"),
    "attacks.attack": ("holds an attack", "带攻击"),
    "attacks.no_attack": ("no attack", "无攻击"),
    "attacks.opened": ("opened from the grid", "由表格打开"),
    "attacks.actions": ("Actions", "动作"),
    "attacks.flags": ("Flags", "标记"),
    "attacks.cut": ("cut here; {n} characters in all", "此处截断，共 {n} 字符"),
    "attacks.saw.lead": (
        "Marked is what the layered policy took as hidden or put aside as an instruction; the text "
        "is the chunk's own.",
        "高亮处是 layered 策略认定的隐藏文本，或作为指令隔离的句子；文本为片段原文。",
    ),
    "attacks.saw.plain": (
        "Marked is what the fixture records as hidden from a reader.",
        "高亮处是用例登记的读者不可见文本。",
    ),
    "attacks.views": (
        "The policies were not all given the same view: {n} different ones; the first is shown.",
        "各策略拿到的视图不同：共 {n} 个；此处显示第一个。",
    ),
    "attacks.more_chunks": ("and {n} more chunks", "另有 {n} 个片段"),
    "attacks.hidden": ("Hidden from a reader", "读者不可见"),
    "attacks.declares": ("declares its own trust, which counts for nothing", "自称可信，不予采信"),
    "attacks.cited_by": ("Cited by", "被引用于"),
    "attacks.trusted": ("trusted", "可信"),
    "attacks.untrusted": ("untrusted", "不可信"),
    "attacks.trace": ("What {policy} decided", "{policy} 的判定"),
    "attacks.trace.lead": ("Each decision of a control, in order", "各控制的判定，按先后"),
    "attacks.trace.control": ("Control", "控制"),
    "attacks.trace.decision": ("Decision", "判定"),
    "attacks.trace.chunk": ("Chunk", "片段"),
    "attacks.trace.reason": ("Reason", "理由"),
    "attacks.trace.more": ("and {n} more decisions", "另有 {n} 条判定"),
    "attacks.effects": ("Which control it took", "靠的是哪个控制"),
    "attacks.effects.lead": (
        "The case run again without each control, and with each alone.",
        "逐一去掉控制、逐一只留一个控制，重新运行本例。",
    ),
    "attacks.effects.first": ("fired first", "最先触发"),
    "attacks.effects.fired": ("fired", "触发"),
    "attacks.effects.silent": ("did not fire", "未触发"),
    "attacks.effects.breaks": ("the case breaks", "本例变坏"),
    "attacks.effects.same": ("nothing changes: another covers it", "没有变化：另有控制覆盖"),
    "attacks.view": ("The stored view", "存档视图"),
    "attacks.view.lead": (
        "All that a policy was given, as JSON; its digest:",
        "策略拿到的全部内容（JSON）；其摘要：",
    ),
    "attacks.view.json": ("Show the view", "显示视图"),
    "attacks.view.long": (
        "The view has {n} characters, too many to show.",
        "视图共 {n} 字符，过长不显示。",
    ),
    "alt.failures": (
        "Grouped bars, failure rates by policy. {items}.",
        "分组条形图，各策略失败率。{items}。",
    ),
    "alt.byclass": (
        "Grid, failures by class and policy. {items}.",
        "网格图，各类别、各策略的失败。{items}。",
    ),
    "alt.abstention": (
        "Bars, abstention by policy, a cost. {items}.",
        "条形图，各策略拒答率（代价）。{items}。",
    ),
    "alt.sweep": (
        "Step lines, unsupported claims by threshold and policy. {items}.",
        "阶梯线图，各阈值、各策略的无依据断言。{items}。",
    ),
}
