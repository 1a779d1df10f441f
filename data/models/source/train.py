"""Train the adapter of e5-joint from a seed, on one thread.

    python data/models/source/train.py --out DIR [--steps N] [--avoid QUESTIONS ...]

Writes DIR/adapter.safetensors and prints its digest; a run that was stopped goes on from
DIR/checkpoint.pt. The same seed gives the same file on the same machine and library versions; on
another processor or another torch, sums are taken in another order, so that the digest differs and
quality does not. `--avoid` refuses to train where a company of the public facts is asked about in
those question files. ragdash itself trains nothing.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[3]))

from data.models.source.lora import add_lora, trained_tensors
from data.models.source.pairs import Pair, training_pairs
from data.models.source.separate import asked_about
from ragdash.core.fingerprint import digest_file

if TYPE_CHECKING:
    import torch
    from torch import Tensor, nn

QUESTIONS = sorted((Path(__file__).parents[2] / "questions").glob("*.jsonl"))
SEED = 5
STEPS = 120
# questions in a step, each with its right passage and five wrong ones
BATCH = 4
MAX_TOKENS = 256
WARM_UP = 15
# of the low-rank matrices, the scale, the linear term
RATES = (1.5e-3, 0.1, 1e-2)
WEIGHT_DECAY, CLIP = 0.01, 1.0
KEPT_EVERY = 10


@dataclass(frozen=True, slots=True)
class Trainee:
    """The encoder with its low-rank matrices, the head, and the optimiser of both."""

    encoder: Any
    head: Any
    optimiser: torch.optim.Optimizer

    def scores(self, pair: Pair) -> Tensor:
        """Return (1, 6), the right passage first."""
        from ragdash.models.joint import PROMPTS

        texts = (pair.positive, *pair.negatives)
        features = self.encoder.tokenizer(
            [PROMPTS.query + pair.question] * len(texts),
            [PROMPTS.passage + text for text in texts],
            padding=True,
            truncation="only_second",
            max_length=min(MAX_TOKENS, self.encoder.tokenizer.model_max_length),
            return_tensors="pt",
        )
        hidden = self.encoder.model(
            input_ids=features["input_ids"], attention_mask=features["attention_mask"]
        ).last_hidden_state
        found: Tensor = self.head({**features, "token_embeddings": hidden})["scores"]
        return found.view(1, -1)

    def state(self) -> dict[str, Tensor]:
        """Return what is trained, by the names it has in the adapter file."""
        return trained_tensors(self.encoder.model, self.head)


def trainee(folder: Path, seed: int) -> Trainee:
    """Return the model of a folder with matrices that do not change it yet."""
    import torch

    from ragdash.models.joint import joint_modules

    torch.manual_seed(seed)
    encoder, head = joint_modules(folder)
    torch.nn.init.zeros_(head.h.weight)
    torch.nn.init.zeros_(head.h.bias)
    matrices = add_lora(encoder.model)
    groups: list[list[nn.Parameter]] = [matrices, [head.scale], list(head.h.parameters())]
    optimiser = torch.optim.AdamW(
        [{"params": group, "lr": rate} for group, rate in zip(groups, RATES, strict=True)],
        weight_decay=WEIGHT_DECAY,
    )
    return Trainee(encoder, head, optimiser)


def rate_at(step: int, steps: int) -> float:
    """Return the share of the learning rate at a step: warmed up, then down to nothing."""
    return min(1.0, (step + 1) / WARM_UP) * (1 - step / steps)


def train_step(model: Trainee, pairs: list[Pair], step: int, steps: int) -> float:
    """Take one step on the softmax over a question's six passages and return the loss."""
    import torch
    from torch.nn.functional import cross_entropy

    for group, rate in zip(model.optimiser.param_groups, RATES, strict=True):
        group["lr"] = rate * rate_at(step, steps)
    # dropout of a step does not depend on whether the run was stopped before it
    torch.manual_seed(SEED * 100_003 + step)
    model.encoder.model.train()
    value = 0.0
    for pair in pairs:
        # one question after the other: less padding, and a quarter of the memory
        loss = cross_entropy(model.scores(pair), torch.zeros(1, dtype=torch.long)) / len(pairs)
        loss.backward()  # type: ignore[no-untyped-call]
        value += float(loss.detach())
    trained = [p for group in model.optimiser.param_groups for p in group["params"]]
    torch.nn.utils.clip_grad_norm_(trained, CLIP)
    model.optimiser.step()
    model.optimiser.zero_grad()
    if not math.isfinite(value):
        raise SystemExit(f"the loss of step {step} is {value}: lower the learning rate")
    return value


def train(out: Path, steps: int) -> Path:
    """Train to the last step, from a checkpoint where there is one, and return the adapter."""
    import torch
    from safetensors.torch import save_file

    from ragdash.models.spec import Role, resolve

    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(mode=True)
    out.mkdir(parents=True, exist_ok=True)
    pairs = training_pairs(steps * BATCH, SEED)
    model = trainee(resolve(Role.RERANKER, "embedded:e5-joint").folder, SEED)
    first = go_on(model, out / "checkpoint.pt", steps)
    losses: list[float] = []
    started = time.process_time()
    for step in range(first, steps):
        batch = pairs[step * BATCH : (step + 1) * BATCH]
        losses.append(train_step(model, batch, step, steps))
        if (step + 1) % KEPT_EVERY == 0 or step + 1 == steps:
            mean = sum(losses[-KEPT_EVERY:]) / len(losses[-KEPT_EVERY:])
            say(f"step {step + 1} loss {mean:.3f} {time.process_time() - started:,.0f} CPU-seconds")
            keep(model, out / "checkpoint.pt", step + 1, steps)
    adapter = out / "adapter.safetensors"
    half = {name: tensor.to(torch.float16) for name, tensor in model.state().items()}
    save_file(half, adapter)
    return adapter


def keep(model: Trainee, path: Path, step: int, steps: int) -> None:
    """Write what a run needs to go on after this many steps."""
    import torch

    staged = path.with_suffix(".part")
    kept = {
        "step": step,
        "steps": steps,
        "tensors": model.state(),
        "optimiser": model.optimiser.state_dict(),
    }
    torch.save(kept, staged)
    staged.rename(path)


def go_on(model: Trainee, path: Path, steps: int) -> int:
    """Load a checkpoint into the model and return the step to go on with."""
    import torch

    if not path.is_file():
        return 0
    kept = torch.load(path, weights_only=True)
    if kept["steps"] != steps:
        raise SystemExit(
            f"{path} is of a run of {kept['steps']} steps, not {steps}: name another --out"
        )
    with torch.no_grad():
        for name, tensor in model.state().items():
            tensor.copy_(kept["tensors"][name])
    model.optimiser.load_state_dict(kept["optimiser"])
    return int(kept["step"])


def say(text: str) -> None:
    """Print at once, as a log is read while it grows."""
    print(text, flush=True)  # noqa: T201


def main() -> None:
    """Read the command line, train, and print the digest."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--avoid", type=Path, nargs="+", default=QUESTIONS)
    args = parser.parse_args()
    if named := asked_about(args.avoid):
        raise SystemExit(f"these companies of the public facts are asked about: {', '.join(named)}")
    adapter = train(args.out, args.steps)
    say(f"{digest_file(adapter)} {adapter}")


if __name__ == "__main__":
    main()
