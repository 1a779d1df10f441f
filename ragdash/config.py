"""The run config: TOML in, a frozen RunConfig out, unknown keys refused (contract.md section 2)."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragdash.core.errors import ConfigError
from ragdash.core.run import CorpusConfig, ModelsConfig, RetrievalConfig, RunConfig

if TYPE_CHECKING:
    from pathlib import Path

Count = Annotated[int, Field(ge=1, le=10_000)]
Weight = Annotated[float, Field(ge=0, le=1_000, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Corpus(_Strict):
    chunking: Literal["page", "blocks", "window"] = "blocks"


class _Retrieval(_Strict):
    top_k: Count = 5
    candidates_dense: Count = 20
    candidates_bm25: Count = 20
    bm25: Literal["lucene", "okapi"] = "lucene"
    rrf_k: Count = 60
    weights: Annotated[list[Weight], Field(min_length=2, max_length=2)] = [1.0, 1.0]
    candidates_rerank: Count = 20
    filter: Literal["none", "boost", "strict"] = "none"
    query: Literal["asked", "resolved"] = "resolved"


class _Models(_Strict):
    dense: Annotated[str, Field(min_length=1)] = ModelsConfig().dense
    reranker: Annotated[str, Field(min_length=1)] = ModelsConfig().reranker


class _Generator(_Strict):
    kind: Literal["extractive"] = "extractive"


class _Judge(_Strict):
    kind: Literal["none", "similarity"] = "similarity"


class _File(_Strict):
    corpus: _Corpus = _Corpus()
    retrieval: _Retrieval = _Retrieval()
    models: _Models = _Models()
    generator: _Generator = _Generator()
    judge: _Judge = _Judge()


def load_config(path: Path | None) -> RunConfig:
    """Return the config of a TOML file, or the defaults where there is no file.

    Raises:
        ConfigError: the file cannot be read, holds an unknown key or a value out of range; every
            fault is named.
    """
    if path is None:
        return RunConfig()
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"config {path}: {error.strerror}; give a readable TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"config {path}: not TOML ({error}); see the README's example") from error
    try:
        file = _File.model_validate(raw)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(str(p) for p in e['loc'])}: {_fault(e['type'], e['msg'])}"
            for e in error.errors()
        )
        raise ConfigError(f"config {path}: {faults}") from error
    return _frozen(file)


def _fault(kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return "unknown key, remove it or correct its spelling"
    return message


def _frozen(file: _File) -> RunConfig:
    r = file.retrieval
    return RunConfig(
        retrieval=RetrievalConfig(
            top_k=r.top_k,
            candidates_dense=r.candidates_dense,
            candidates_bm25=r.candidates_bm25,
            bm25=r.bm25,
            rrf_k=r.rrf_k,
            weights=(r.weights[0], r.weights[1]),
            candidates_rerank=r.candidates_rerank,
            filter=r.filter,
            query=r.query,
        ),
        models=ModelsConfig(dense=file.models.dense, reranker=file.models.reranker),
        generator=file.generator.kind,
        judge=file.judge.kind,
        corpus=CorpusConfig(chunking=file.corpus.chunking),
    )
