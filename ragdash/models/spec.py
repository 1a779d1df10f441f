"""Model specs: `embedded:NAME`, `path:DIR`, `hub:ORG/NAME@REVISION`, resolved to a folder here.

`endpoint:MODEL@URL` is the fourth form; it has no folder and is read by `endpoint`.

Without a revision the hub's `main` is meant; the run records the commit. A bare `./DIR`, `/DIR` or
`~/DIR` is read as `path:`. Resolving loads nothing: it either returns a folder that is on this
machine, or says in one sentence what was tried and what to do.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ragdash.core.errors import ConfigError, ModelNotFound
from ragdash.core.fingerprint import digest, digest_file
from ragdash.models import e5


class Role(StrEnum):
    """What a model is for."""

    EMBEDDER = "embedder"
    RERANKER = "reranker"


JOINT = "e5-joint"
MAXSIM = "e5-maxsim"
EMBEDDED = {Role.EMBEDDER: (e5.NAME,), Role.RERANKER: (JOINT, MAXSIM)}
_HUB = re.compile(r"(?P<repo>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w./-]+))?")
_WEIGHTS = ("*.safetensors", "*.bin")
# other frameworks' copies of the same weights, and pictures
_NOT_NEEDED = ("*.onnx*", "*.h5", "*.msgpack", "*.ot", "onnx/*", "openvino/*", "imgs/*", "*.gguf")
_HUB_TIMEOUT = 10.0


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """A spec with the folder it stands for; `name` is set for embedded models only."""

    role: Role
    spec: str
    folder: Path
    digest: str
    name: str = ""


def resolve(role: Role, spec: str) -> ResolvedModel:
    """Return the folder of a spec.

    Raises:
        ConfigError: the spec has none of the forms, or names no embedded model of this role.
        ModelNotFound: nothing on this machine, or on the hub where that may be asked.
    """
    # read when huggingface_hub is first imported, which is after this
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    kind, _, value = spec.partition(":")
    if spec[:1] in (".", "/", "~"):
        kind, value = "path", spec
    if kind == "embedded" and value:
        return _embedded(role, spec, value)
    if kind == "path" and value:
        return _directory(role, spec, value)
    if kind == "hub" and (match := _HUB.fullmatch(value)):
        return _hub(role, spec, match["repo"], match["revision"] or "main")
    raise ConfigError(
        f"the {role} {spec!r} is no model spec: write embedded:NAME ({_names(role)}), path:DIR, "
        "hub:ORG/NAME@REVISION, or endpoint:MODEL@URL"
    )


def is_offline() -> bool:
    """Return whether HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE forbids the network."""
    value = os.environ.get("HF_HUB_OFFLINE") or os.environ.get("TRANSFORMERS_OFFLINE") or ""
    return value.upper() in ("1", "ON", "YES", "TRUE")


def _names(role: Role) -> str:
    return ", ".join(EMBEDDED[role])


def _embedded(role: Role, spec: str, name: str) -> ResolvedModel:
    if name not in EMBEDDED[role]:
        raise ConfigError(
            f"the {role} {spec!r} names no embedded model of that role: there is {_names(role)}"
        )
    return ResolvedModel(role, spec, e5.e5_folder(), e5.DIGEST, name)


def _directory(role: Role, spec: str, value: str) -> ResolvedModel:
    folder = Path(value).expanduser()
    if not folder.is_dir():
        raise ModelNotFound(
            f"the {role} {spec!r} cannot be loaded: model directory {value} does not exist; "
            f"name a folder with config.json and weights, or embedded:{EMBEDDED[role][0]}"
        )
    if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
        raise ModelNotFound(
            f"the {role} {spec!r} cannot be loaded: {value} holds neither config.json nor "
            "modules.json; name the folder that a model was saved to"
        )
    return ResolvedModel(role, spec, folder.resolve(), folder_digest(folder))


def folder_digest(folder: Path) -> str:
    """Return the tagged digest over the names and bytes of a model folder, its texts left out."""
    files = sorted(
        path.relative_to(folder)
        for path in folder.rglob("*")
        if path.is_file()
        and path.suffix != ".md"
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
    return digest({file.as_posix(): digest_file(folder / file) for file in files})


def _hub(role: Role, spec: str, repo: str, revision: str) -> ResolvedModel:
    folder = _cached(repo, revision)
    if folder is None:
        if is_offline():
            raise _not_to_be_had(role, spec, "the network was not tried, as HF_HUB_OFFLINE is set")
        folder = _fetched(role, spec, repo, revision)
    return ResolvedModel(role, spec, folder, f"commit:{folder.name}")


def _cached(repo: str, revision: str) -> Path | None:
    """Return the snapshot of a revision in the hub's cache, where it is there with its weights."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(repo, revision=revision, local_files_only=True))
    except LocalEntryNotFoundError:
        return None
    whole = any(next(folder.rglob(pattern), None) for pattern in _WEIGHTS)
    return folder if whole and (folder / "config.json").is_file() else None


def _fetched(role: Role, spec: str, repo: str, revision: str) -> Path:
    from huggingface_hub import HfApi, snapshot_download

    # the root of what its HTTP library raises, whichever that is
    from huggingface_hub.errors import HTTPError  # type: ignore[attr-defined]

    try:
        # asked first, as this call ends after its timeout where a download would try for a minute
        card = HfApi().model_info(repo, revision=revision, timeout=_HUB_TIMEOUT)
        names = [sibling.rfilename for sibling in card.siblings or ()]
        twice = any(name.endswith(".safetensors") for name in names)
        ignored = [*_NOT_NEEDED, *(["*.bin"] if twice else [])]
        return Path(snapshot_download(repo, revision=card.sha, ignore_patterns=ignored))
    except (HTTPError, OSError, ValueError) as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise _not_to_be_had(role, spec, f"the hub answered: {reason[0]}") from error


def _not_to_be_had(role: Role, spec: str, tried: str) -> ModelNotFound:
    return ModelNotFound(
        f"the {role} {spec!r} is not to be had here: it is not in the Hugging Face cache and "
        f"{tried}; fetch it on a machine with a network and name its folder with path:DIR, or use "
        f"embedded:{EMBEDDED[role][0]}"
    )
