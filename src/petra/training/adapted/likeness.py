"""How far one model is from reading a text as another does.

All that a memory takes of a token's features x is linear in them, x W + b for its GRU,
and so is what a span head takes of the two ends of a span. Those numbers are compared
for every token, and the states of the GRU where people are mentioned, because it is
states of mentions that are put into cells and compared with them.

Letters: B texts, L tokens of the longest, D features of a token, H hidden size,
Z numbers that memory and span head take of a token.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from petra.encoder.pretrained import LaidWindow
from petra.memory.gates import mention_probability
from petra.memory.recurrent import states_of_one
from petra.text.document import Document
from petra.training.adapted.model import AdaptedModel

_LEAST = 1e-6  # variance that is divided by, at least


class Likeness:
    """Compares models with one of them, the model to be imitated."""

    def __init__(self, imitated: AdaptedModel, dtype: torch.dtype) -> None:
        imitated.encoder.model.to(dtype).eval()
        self.imitated = imitated

    def missed(self, model: AdaptedModel, features: Tensor, laid: Sequence[LaidWindow]) -> Tensor:
        """What a model with features (B, L, D) of some texts misses of them, as a share of variance, differentiable.

        The texts are laid as the imitated model reads them, a window each.
        """
        is_real, wanted, wanted_states, mention_prob = self._wanted(laid, features.shape[1])
        everywhere = _unexplained(_taken(model, features), wanted, is_real)
        of_mentions = _unexplained(_states(model, features), wanted_states, mention_prob * is_real)
        return (everywhere + of_mentions) / 2

    def missed_of_documents(self, model: AdaptedModel, features: Tensor, documents: Sequence[Document]) -> Tensor:
        """The same of the first of B documents, but for those that are read in several windows."""
        encoder = self.imitated.encoder
        laid = [list(encoder.lay(encoder.tokenizer.tokenize(document.text))) for document in documents]
        chosen = [place for place, windows in enumerate(laid) if len(windows) == 1]
        if not chosen:
            return features.new_zeros(())
        return self.missed(model, features[chosen], [laid[place][0] for place in chosen])

    @torch.no_grad()
    def _wanted(self, laid: Sequence[LaidWindow], tokens: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Which of so many tokens are of a text, what they are to give, their states, and how surely they are mentions.

        (B, L), (B, L, Z), (B, L, H) and (B, L).
        """
        imitated = self.imitated
        device, begin = imitated.device, len(imitated.encoder.tokenizer.prefix)
        token_ids, is_text = (part.to(device) for part in imitated.encoder.frame(laid, tokens=tokens))
        features = imitated.encoder.features(token_ids, is_text.long())[:, begin : begin + tokens]
        lengths = torch.tensor([[len(window.token_ids)] for window in laid], device=device)
        is_real = (torch.arange(tokens, device=device) < lengths).to(features.dtype)
        states = _states(imitated, features)
        mention_prob = mention_probability(states[None], imitated.network.mention_weights)[0]
        return is_real, _taken(imitated, features), states, mention_prob


def _taken(model: AdaptedModel, features: Tensor) -> Tensor:
    """What memory and span head take of features: (B, L, D) give (B, L, Z)."""
    memory, spans = model.network, model.spans
    return torch.cat(
        [
            features @ memory.recurrent_inputs[0] + memory.recurrent_inputs_bias[0],
            features @ spans.first + spans.bias,
            features @ spans.last,
        ],
        dim=-1,
    )


def _states(model: AdaptedModel, features: Tensor) -> Tensor:
    """h_t of every token: (B, L, D) give (B, L, H)."""
    return states_of_one(features.transpose(0, 1), model.network.recurrent_weights).transpose(0, 1)


def _unexplained(given: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    """The mean share of the variance of numbers (B, L, Z) that others leave, tokens weighted by (B, L)."""
    share = (weight / weight.sum().clamp(min=_LEAST))[..., None]
    mean = (share * wanted).sum((0, 1))
    variance = (share * (wanted - mean).square()).sum((0, 1))
    left: Tensor = ((share * (given - wanted).square()).sum((0, 1)) / variance.clamp(min=_LEAST)).mean()
    return left
