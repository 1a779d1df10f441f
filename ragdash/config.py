"""The run config: TOML in, a frozen RunConfig out, unknown keys refused (contract.md section 2)."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from ragdash.core.call import Budget, Endpoint, Level
from ragdash.core.errors import ConfigError
from ragdash.core.run import (
    CorpusConfig,
    GeneratorConfig,
    JudgeConfig,
    ModelsConfig,
    RetrievalConfig,
    RunConfig,
)

if TYPE_CHECKING:
    from pathlib import Path

Count = Annotated[int, Field(ge=1, le=10_000)]
Weight = Annotated[float, Field(ge=0, le=1_000, allow_inf_nan=False)]
Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]


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


def _address(value: str) -> str:
    """Return an endpoint's address, which must name a host and hold no secret."""
    parts = urlsplit(value)
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError(
            "an address is stored with the run and holds no user, password or query: "
            "name the variable of the key as api_key_env"
        )
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"{value!r} is no address: write http:// or https://, host and path")
    return value.rstrip("/")


class _Asked(_Strict):
    """The keys of an endpoint; they mean nothing to a kind that asks none."""

    kind: str
    base_url: Annotated[str, AfterValidator(_address)] | None = None
    model: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    api_key_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] = Endpoint(
        "", ""
    ).api_key_env
    temperature: Annotated[float, Field(ge=0, le=2)] | Literal["unset"] = 0.0
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] | Literal["unset"] = 0
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] = Endpoint("", "").max_tokens
    timeout: Annotated[float, Field(gt=0, le=3_600)] = Endpoint("", "").timeout
    concurrency: Annotated[int, Field(ge=1, le=256)] = Endpoint("", "").concurrency
    tries: Annotated[int, Field(ge=1, le=20)] = Endpoint("", "").tries
    price_prompt: Price | None = None
    price_completion: Price | None = None
    context_window: Annotated[int, Field(ge=1)] | None = None
    level: Literal["json_schema", "json_object", "text"] | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.kind == "endpoint":
            missing = [name for name in ("base_url", "model") if getattr(self, name) is None]
            if missing:
                raise ValueError(f"kind endpoint needs {' and '.join(missing)}")
        elif unused := sorted(self.model_fields_set - {"kind"}):
            raise ValueError(f"{', '.join(unused)}: only kind endpoint has them, not {self.kind}")
        return self

    def endpoint(self) -> Endpoint | None:
        """Return the endpoint that is asked, None for a kind that asks none."""
        if self.base_url is None or self.model is None:
            return None
        return Endpoint(
            base_url=self.base_url,
            model=self.model,
            api_key_env=self.api_key_env,
            temperature=None if self.temperature == "unset" else self.temperature,
            seed=None if self.seed == "unset" else self.seed,
            max_tokens=self.max_tokens,
            timeout=self.timeout,
            concurrency=self.concurrency,
            tries=self.tries,
            price_prompt=self.price_prompt,
            price_completion=self.price_completion,
            context_window=self.context_window,
            level=None if self.level is None else Level(self.level),
        )


class _Generator(_Asked):
    kind: Literal["extractive", "endpoint"] = "extractive"


class _Judge(_Asked):
    kind: Literal["none", "similarity", "endpoint"] = "similarity"
    repeats: Annotated[int, Field(ge=1, le=100)] = 1


class _Budget(_Strict):
    calls: Annotated[int, Field(ge=0)] | None = None
    tokens: Annotated[int, Field(ge=0)] | None = None
    money: Price | None = None
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None


class _File(_Strict):
    corpus: _Corpus = _Corpus()
    retrieval: _Retrieval = _Retrieval()
    models: _Models = _Models()
    generator: _Generator = _Generator()
    judge: _Judge = _Judge()
    budget: _Budget | None = None


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
    return message.removeprefix("Value error, ")


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
        generator=GeneratorConfig(file.generator.kind, file.generator.endpoint()),
        judge=JudgeConfig(file.judge.kind, file.judge.endpoint(), file.judge.repeats),
        corpus=CorpusConfig(chunking=file.corpus.chunking),
        budget=Budget(**file.budget.model_dump()) if file.budget else None,
    )
