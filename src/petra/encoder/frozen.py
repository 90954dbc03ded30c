"""An encoder that does not learn: the features of a text are computed once, and kept for whenever it comes again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import torch
from torch import Tensor

from petra.encoder.adapter import PREFIX, Adapter
from petra.encoder.pretrained import BATCH_TOKENS, PretrainedEncoder, TokenIds


class FrozenEncoder(PretrainedEncoder):
    """A trained encoder with its adapter, in training that leaves it as it is.

    Features are kept in half precision and in the computer's memory, 3 kB a token of two layers of
    MPNet; any back end may compute them.
    """

    def __init__(self, encoder: PretrainedEncoder, adapter: Adapter) -> None:
        super().__init__(encoder.config, encoder.folder, encoder.backend, encoder.tokenizer)
        self.adapter_weights = {f"{PREFIX}{name}": value for name, value in adapter.weights.items()}
        self._kept: dict[bytes, Tensor] = {}

    def set_training(self, training: bool) -> None:
        """Nothing is ever dropped."""

    def encode_texts(self, texts: Iterable[TokenIds], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[Tensor]:
        known = list(texts)
        new = list({text.tobytes(): text for text in known if text.tobytes() not in self._kept}.values())
        for text, features in zip(new, super().encode_texts(new, batch_tokens=batch_tokens), strict=True):
            self._kept[text.tobytes()] = features.half().cpu()
        return (self._kept[text.tobytes()].to(self.device, torch.float32) for text in known)

    def encode_together(self, texts: Sequence[TokenIds]) -> Tensor:
        """The features (N, D) of the tokens of all texts, one text after the other; they have no gradient."""
        return torch.cat(list(self.encode_texts(texts)))
