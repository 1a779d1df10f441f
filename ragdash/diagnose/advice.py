"""What to try and what will not help: by reason where a reason says more than its layer."""

from __future__ import annotations

from typing import Any

from ragdash.core.diagnosis import Diagnosis, Layer, Sentence

_TRY: dict[str, Sentence] = {
    Layer.INGEST: Sentence(
        "Check the evidence page in the corpus: parsing, page text, chunking; then ingest again.",
        "检查语料中的证据页：解析、页面文本、切分；然后重新入库。",
    ),
    Layer.RECALL: Sentence(
        "Raise the candidate counts, or mend the leg that missed it (tokens for BM25, embedder for"
        " dense).",
        "提高候选数，或修复漏掉它的一路（BM25 看分词，dense 看向量模型）。",
    ),
    Layer.RANKING: Sentence(
        "Work on fusion (k, weights), the reranker or top k.",
        "调整融合（k、权重）、重排模型或 top k。",
    ),
    Layer.GENERATION: Sentence(
        "Work on the generator: prompt, model or how its answer is read.",
        "改进生成：提示词、模型或答案的解析。",
    ),
    Layer.BUSINESS: Sentence(
        "If the question names its caliber (口径), the answer took the wrong row; if not, have a"
        " reviewer decide which one it means.",
        "若题目已写明口径，则是取错了行；若未写明，请复核人判定所指的业务口径。",
    ),
    Layer.UNDETERMINED: Sentence(
        "Add evidence pages (qrels) to the question.",
        "为该问题补充证据页（qrels）。",
    ),
    "document_not_indexed": Sentence(
        "Add the document to the manifest, or correct the question's document id; then ingest.",
        "把该文件加入清单，或更正题目中的文件编号；然后入库。",
    ),
    "page_beyond_document": Sentence(
        "Correct the question's page: physical pages count from 1.",
        "更正题目的页码：按物理页从 1 起计。",
    ),
    "split_number": Sentence(
        "Mend what broke the number: the table's columns, line breaks or the chunk border; then"
        " ingest again.",
        "修复断开数字之处：表格分列、换行或片段边界；然后重新入库。",
    ),
    "lost_unit": Sentence(
        "Keep the unit line and the header row with the table's rows; then ingest again.",
        "让单位行和表头随表格各行保留；然后重新入库。",
    ),
    "lost_sign": Sentence(
        "Check whether brackets or a minus sign were lost in parsing, or the gold's sign is wrong.",
        "检查解析时是否丢失了括号或负号，或金标符号有误。",
    ),
    "misread_digits": Sentence(
        "Read the page again with another parser or OCR; then ingest again.",
        "换解析器或 OCR 重读该页；然后重新入库。",
    ),
    "wrong_page": Sentence(
        "Compare both pages: correct the question's evidence page, or the page's text.",
        "对照这两页：更正题目的证据页，或修正该页文本。",
    ),
    "retrieval_failed": Sentence(
        "Read the error in the raw reply, mend it and run again.",
        "查看原始回复中的错误，修复后重新运行。",
    ),
    "below_dense": Sentence(
        "Another embedder, a larger top k, or mode hybrid or rerank.",
        "更换向量模型、增大 top k，或改用混合或重排模式。",
    ),
    "below_both_legs": Sentence(
        "A reranker or a larger top k: neither search had it near the top.",
        "加重排或增大 top k：两路检索都没有把它排到前面。",
    ),
    "below_fusion": Sentence(
        "Fusion weights or k: one search had it within the top k (`ragdash ablate` shows both).",
        "调整融合权重或 k：有一路检索把它排在 top k 之内（可用 `ragdash ablate` 查看）。",
    ),
    "not_reranked": Sentence(
        "Raise candidates_rerank, or work on the fusion before it.",
        "提高重排候选数，或先改进融合。",
    ),
    "below_rerank": Sentence(
        "Another reranker or a larger top k.",
        "更换重排模型或增大 top k。",
    ),
    "below_context": Sentence(
        "A larger top k, or give the ranks of each stage to see which one lost it.",
        "增大 top k；或给出各阶段名次，以看出丢在哪一步。",
    ),
    "contexts_not_given": Sentence(
        "Import again with `contexts`: text, document and page of what the generator saw.",
        "补充 `contexts`（生成器所见片段的文本、文件与页码）后重新导入。",
    ),
    "pages_not_given": Sentence(
        "Import again with `doc_id` and `page` of each context.",
        "为每个片段补充 `doc_id` 与 `page` 后重新导入。",
    ),
    "page_in_part": Sentence(
        "Import again with all passages that the system retrieved, or read the page beside them.",
        "补充系统检索到的全部片段后重新导入，或对照原页阅读。",
    ),
    "list_cut_off": Sentence(
        "Import again with all that the retriever returned, and `whole_lists` in the header.",
        "补充检索器返回的全部候选并在首行写明 `whole_lists` 后重新导入。",
    ),
    "index_not_given": Sentence(
        "Look in the system's index whether the evidence page is there.",
        "到该系统的索引中查看证据页是否存在。",
    ),
    "should_have_refused": Sentence(
        "Work on when the generator declines: prompt, or a support check of its answer.",
        "改进生成器何时拒答：提示词，或对答案做依据核查。",
    ),
    "no_output": Sentence(
        "Read the error in the raw reply: endpoint, token limit or empty output.",
        "查看原始回复中的错误：接口、长度上限或空输出。",
    ),
    "unscored_gate": Sentence(
        "See why the numeric gate has no value; give the question a gold figure where it has none.",
        "查看数字门为何没有结果；若题目缺金标数字，请补上。",
    ),
    "not_kept": Sentence(
        "Run the question again: this file does not hold the gold's chunks.",
        "重新运行该问题：此文件未保存金标片段。",
    ),
}
_NO_HELP: dict[str, Sentence] = {
    Layer.INGEST: Sentence(
        "Another retriever, reranker or prompt: the passage is not there to be found.",
        "换检索、重排或提示词都无济于事：该段落不在索引里。",
    ),
    Layer.RECALL: Sentence(
        "Reranking or another prompt: the passage was in no candidate list of this mode.",
        "重排或换提示词无济于事：该段落不在本模式的任何候选列表里。",
    ),
    Layer.RANKING: Sentence(
        "More data or another prompt: the passage was found and then lost.",
        "更多数据或换提示词无济于事：该段落已召回，随后被挤掉。",
    ),
    Layer.GENERATION: Sentence(
        "Ranking the passage higher: in this mode it was already in front of the generator.",
        "把该段落排得更前无济于事：在本模式中它已在生成器眼前。",
    ),
    Layer.BUSINESS: Sentence(
        "More candidates or another embedder: in this mode the right passage was already in front"
        " of the generator.",
        "增加候选或更换向量模型无济于事：在本模式中正确的段落已在生成器眼前。",
    ),
    Layer.UNDETERMINED: Sentence(
        "Guessing a layer without knowing where the answer stands.",
        "在不知道答案所在的情况下猜测层级。",
    ),
    "page_beyond_document": Sentence(
        "Ingesting again or another retriever: the document has no such page.",
        "重新入库或换检索无济于事：该文件没有这一页。",
    ),
    "wrong_page": Sentence(
        "Tuning by this question's ranks: they are counted for a page that does not print the"
        " figure.",
        "依据该题的名次调参无济于事：名次所对的页面并未印有该数字。",
    ),
    "split_number": Sentence(
        "Another retriever or reranker: the page can be found, its figure cannot be read.",
        "换检索或重排无济于事：页面找得到，但数字读不出。",
    ),
    "lost_unit": Sentence(
        "Another retriever or reranker: the page can be found, the size of its figure is lost.",
        "换检索或重排无济于事：页面找得到，但数字的量级已丢失。",
    ),
    "lost_sign": Sentence(
        "Another retriever or reranker: the page can be found, the sign of its figure is lost.",
        "换检索或重排无济于事：页面找得到，但数字的符号已丢失。",
    ),
    "misread_digits": Sentence(
        "Another retriever or reranker: the page can be found, its figure cannot be read.",
        "换检索或重排无济于事：页面找得到，但数字读不出。",
    ),
    "not_printed_on_page": Sentence(
        "Another reranker or prompt: no chunk of the evidence page states the figure.",
        "换重排或提示词无济于事：证据页没有片段写有该数字。",
    ),
    "retrieval_failed": Sentence(
        "Another reranker or prompt: the search itself failed.",
        "换重排或提示词无济于事：检索本身出错。",
    ),
    "below_rerank": Sentence(
        "More candidates or another prompt: the passage was found and read, then put behind.",
        "增加候选或换提示词无济于事：该段落已召回并参与重排，随后被排到后面。",
    ),
    "not_reranked": Sentence(
        "Another reranker or prompt: the reranker never read the passage.",
        "换重排模型或提示词无济于事：重排模型没有读到该段落。",
    ),
    "should_have_refused": Sentence(
        "More candidates or another ranking: there is no passage to be found.",
        "增加候选或改变排序无济于事：没有可找的段落。",
    ),
    "unscored_gate": Sentence(
        "Tuning retrieval by this question: whether its answer is right is not known.",
        "依据该题调检索无济于事：答案对错未知。",
    ),
}


def found(
    layer: Layer, reason: str, evidence: Sentence, facts: dict[str, Any] | None = None
) -> Diagnosis:
    """Return a diagnosis with the advice of its reason, or of its layer where that has none."""
    return Diagnosis(
        layer=layer,
        reason=reason,
        evidence=evidence,
        try_next=_TRY.get(reason) or _TRY[layer],
        no_help=_NO_HELP.get(reason) or _NO_HELP[layer],
        facts=facts or {},
    )
