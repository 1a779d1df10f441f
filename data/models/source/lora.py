"""Low-rank matrices beside the frozen ones of the encoder, under the names of the adapter file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.models.joint import LORA_SCALE

if TYPE_CHECKING:
    from torch import Tensor, nn

RANK = 8
# of each layer of the encoder
MATRICES = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)


def low_rank(linear: nn.Linear) -> nn.Module:
    """Return a layer that gives what `linear` gives, and learns a product of rank 8 beside it."""
    import torch

    class LowRank(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.frozen = linear
            self.A = torch.nn.Parameter(0.1 * torch.randn(RANK, linear.in_features) / RANK**0.5)
            self.B = torch.nn.Parameter(torch.zeros(linear.out_features, RANK))

        def forward(self, x: Tensor) -> Tensor:
            learned: Tensor = (x @ self.A.t()) @ self.B.t() * LORA_SCALE
            return self.frozen(x) + learned  # type: ignore[no-any-return]

    return LowRank()


def add_lora(encoder: nn.Module) -> list[nn.Parameter]:
    """Freeze the encoder, put the matrices beside its own, and return them."""
    for parameter in encoder.parameters():
        parameter.requires_grad = False
    layers: dict[str, Any] = dict(encoder.named_modules())
    for name in matrix_names(encoder):
        parent, _, last = name.rpartition(".")
        setattr(layers[parent], last, low_rank(layers[name]))
    return [p for p in encoder.parameters() if p.requires_grad]


def matrix_names(encoder: nn.Module) -> list[str]:
    """Return the names of the layers that get matrices, in the encoder's order."""
    return [
        name
        for name, _ in encoder.named_modules()
        if name.startswith("encoder.layer.") and name.split(".", 3)[-1] in MATRICES
    ]


def trained_tensors(encoder: nn.Module, head: nn.Module) -> dict[str, Tensor]:
    """Return what is trained, by the names of the adapter file; views, not copies."""
    found = {
        f"bert.{name}": p.detach() for name, p in encoder.named_parameters() if p.requires_grad
    }
    return found | {name: p.detach() for name, p in head.named_parameters()}
