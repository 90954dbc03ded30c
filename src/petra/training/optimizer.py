"""Adam for several models at once, each with a learning rate and a gradient norm of its own.

Letters: E models, P parameters of one model.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

_BETA_1, _BETA_2, _EPSILON = 0.9, 0.999, 1e-8


class StackedAdam:
    """Adam over parameters that lead with the models' dimension E.

    All parameters of a model lie in one row (P,), so that an update is a few
    operations whatever the number of layers or models.
    """

    def __init__(self, parameters: Sequence[Tensor], clip_norm: float) -> None:
        self.parameters = list(parameters)
        self.clip_norm = clip_norm
        models, device = self.parameters[0].shape[0], self.parameters[0].device
        self.sizes = [parameter[0].numel() for parameter in self.parameters]
        self.mean = torch.zeros(models, sum(self.sizes), device=device)
        self.square = torch.zeros_like(self.mean)
        self.steps = torch.zeros(models, 1, dtype=torch.float64, device=device)

    @property
    def state(self) -> dict[str, Tensor]:
        """Both moments and the number of steps, for a checkpoint."""
        return {"mean": self.mean, "square": self.square, "steps": self.steps}

    @torch.no_grad()
    def update(self, gradients: Sequence[Tensor], learning_rates: Tensor) -> None:
        """One step; learning_rates (E,) may be 0 for models that have stopped.

        A gradient longer than ``clip_norm`` is shortened to it, for each model by
        itself; one that is not finite leaves its model and its moments as they are.
        """
        gradient = torch.cat([part.reshape(len(part), -1) for part in gradients], dim=1)  # (E, P)
        norm = gradient.norm(dim=1, keepdim=True)  # (E, 1)
        sound = norm.isfinite()
        gradient = torch.where(sound, gradient * (self.clip_norm / (norm + 1e-6)).clamp(max=1), 0.0)
        self.steps += sound
        self.mean.lerp_(gradient, (1 - _BETA_1) * sound)
        self.square.lerp_(gradient * gradient, (1 - _BETA_2) * sound)
        steps = self.steps.clamp(min=1)
        unbiased = (self.square / (1 - _BETA_2**steps).float()).sqrt_().add_(_EPSILON)
        rates = learning_rates[:, None] * sound / (1 - _BETA_1**steps).float()  # (E, 1)
        change = self.mean / unbiased * rates
        for parameter, part in zip(self.parameters, change.split(self.sizes, dim=1), strict=True):
            parameter.sub_(part.view_as(parameter))


def linear_schedule_with_warmup(
    optimizer: torch.optim.Optimizer, steps: int, warmup: float
) -> torch.optim.lr_scheduler.LambdaLR:
    """Learning rates that rise linearly to their peak during the share ``warmup`` of the steps, then fall to 0."""
    rising = max(1, round(steps * warmup))
    return torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / rising, max(0.0, (steps - step) / max(1, steps - rising)))
    )
