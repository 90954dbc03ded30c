"""A pretrained encoder: tokens in, the features of some of its layers out.

Letters: B windows encoded together, L tokens of the longest with its special tokens,
T tokens of a document, N tokens of several documents, D features of a token.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from petra.config import AdapterConfig, BackendName, EncoderConfig
from petra.encoder.adapter import Adapter, add_trainable, apply_adapter, neutralise_pronouns, neutralised_words
from petra.encoder.backends.choosing import open_backend
from petra.encoder.backends.contract import Backend, EncoderSource
from petra.encoder.backends.pytorch import TorchBackend
from petra.encoder.cache import sha256_of
from petra.encoder.catalogue import ENCODERS
from petra.encoder.loading import load_model
from petra.encoder.packed import PaddedBatch
from petra.encoder.resolve import encoder_folder
from petra.english.gender import NEOPRONOUN_COUNTERPARTS
from petra.errors import ConfigError
from petra.runtime.ahead import Beside, ahead
from petra.runtime.progress import Report, silent
from petra.text.document import Document
from petra.text.tokenize import Tokenizer
from petra.text.windows import Window
from petra.text.windows import windows as windows_of

TokenIds: TypeAlias = NDArray[np.int64]
_Encoded: TypeAlias = tuple[int, Tensor]  # the number of a window, and its kept features (t, D)

BATCH_TOKENS = 4096  # encoded together
_GROUP = 4  # batches whose documents are sorted by length together
_STEP = 8  # windows are filled up to a multiple of it
_SHORT, _UNLIKE = 96, 1.5  # texts of up to so many tokens, or of lengths of such a ratio, are padded alike in training


class WindowTokens(NamedTuple):
    """A window of a text and its tokens."""

    token_ids: NDArray[np.int64]
    window: Window

    @property
    def kept(self) -> slice:
        """Which of the tokens have their features kept; the others are context."""
        return slice(self.window.keep_start - self.window.start, self.window.keep_end - self.window.start)


class PretrainedEncoder:
    """Encodes documents; a text longer than a window is read in overlapping ones.

    Features are float32, on the encoder's device. The encoder is frozen, unless an
    adapter is being trained with ``make_trainable`` and ``encode_windows``.
    """

    def __init__(self, config: EncoderConfig, folder: Path, backend: Backend, tokenizer: Tokenizer) -> None:
        self.config = config
        self.tokenizer = tokenizer
        self.backend = backend
        self.size: int = backend.shape.size  # D
        self.folder = folder
        self._padding = backend.shape.padding

    @classmethod
    def load(
        cls,
        config: EncoderConfig,
        *,
        adapter: Adapter | None = None,
        device: str | torch.device = "cpu",
        backend: BackendName = "torch",
        report: Report = silent,
    ) -> PretrainedEncoder:
        """Load the encoder of a configuration, fetched first if need be; report receives the bytes fetched.

        Only the back ends of PyTorch can be trained.
        """
        folder = encoder_folder(config.name, report=report)
        plain = Tokenizer.from_folder(folder)
        is_neutral = adapter is not None and adapter.config.neutral_pronouns

        def model() -> Any:
            loaded = load_model(folder, top_layer=max(config.layers), device=device)
            if adapter is not None:
                apply_adapter(loaded, adapter)
            if is_neutral:
                neutralise_pronouns(loaded, plain)
            return loaded

        def digests() -> dict[str, Any]:
            return {
                "files": _file_digests(config.name, folder),
                "adapter": None if adapter is None else adapter.digest,
                "neutral": is_neutral and neutralised_words(),
            }

        source = EncoderSource(load=model, layers=config.layers, digests=digests)
        opened = open_backend(backend, source)
        tokenizer = plain.with_stand_ins(NEOPRONOUN_COUNTERPARTS) if is_neutral else plain
        _check_window(config, tokenizer, opened.shape.positions)
        return cls(config, folder, opened, tokenizer)

    def make_trainable(self, config: AdapterConfig, *, seed: int, dtype: torch.dtype = torch.float32) -> None:
        """Add a trainable adapter to the encoder; its own weights are cast to dtype and stay frozen."""
        if config.neutral_pronouns:
            neutralise_pronouns(self.model, self.tokenizer)
            self.tokenizer = self.tokenizer.with_stand_ins(NEOPRONOUN_COUNTERPARTS)
        self.backend = TorchBackend(add_trainable(self.model.to(dtype), config, seed), self.config.layers)

    @property
    def model(self) -> Any:
        """The transformers model, where PyTorch computes it."""
        return self._torch.model

    def set_training(self, training: bool) -> None:
        """Whether parts of the encoder are dropped, as in training, or none, as in reading."""
        if self.model.training != training:
            self.model.train(training)

    @property
    def _torch(self) -> TorchBackend:
        if not isinstance(self.backend, TorchBackend):
            raise ConfigError(f"The encoder is computed by {self.backend.name}. Load it with the back end torch.")
        return self.backend

    @property
    def device(self) -> torch.device:
        return self.backend.device

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that determines the features of tokens: weights, layers and windows."""
        parts = {
            "files": _file_digests(self.config.name, self.folder),
            "layers": self.config.layers,
            "window": self.config.window,
            "margin": self.config.margin,
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def encode(self, document: Document) -> Iterator[Tensor]:
        """The features of a document in text order, (t, D) at a time, so that a novel needs little memory."""
        encoded = self.encode_in_order(self.split(document.token_ids))
        several = len(document) > self.config.window
        return ahead(encoded) if several and self.backend.overlaps else encoded

    def encode_in_order(self, windows: Iterable[WindowTokens]) -> Iterator[Tensor]:
        """The kept features (t, D) of consecutive windows of a text, a few windows at a time."""
        at_once = max(1, BATCH_TOKENS // self.config.window)
        # Only the last window of a text is shorter; encoded by itself, it makes no other window need padding.
        for _, same in groupby(enumerate(windows), key=lambda item: (item[0] // at_once, len(item[1].token_ids))):
            yield torch.cat(self._encode_batch([window for _, window in same]))

    def encode_many(self, documents: Iterable[Document], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[Tensor]:
        """The whole features (T, D) of each document, in the order given."""
        return self.encode_texts((document.token_ids for document in documents), batch_tokens=batch_tokens)

    def encode_texts(self, texts: Iterable[TokenIds], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[Tensor]:
        """The features (T, D) of the tokens of each text, in the order given.

        Where the back end computes beside Python, a group of texts is encoded while
        the features of the one before are in use. Texts are taken by the caller's thread.
        """
        if not self.backend.overlaps:
            for group in _groups(texts, _GROUP * batch_tokens):
                yield from self._of_texts(group, self._encoded_batches(group, batch_tokens))
            return
        with Beside() as beside:
            before: tuple[list[TokenIds], Callable[[], list[_Encoded]]] | None = None
            for group in _groups(texts, _GROUP * batch_tokens // 2):  # two of them are held at once
                encoding = beside.start(self._encoded_batches(group, batch_tokens))
                if before is not None:
                    yield from self._of_texts(before[0], before[1]())
                before = group, encoding
            if before is not None:
                yield from self._of_texts(before[0], before[1]())

    def _encoded_batches(self, texts: Sequence[TokenIds], batch_tokens: int) -> Iterator[_Encoded]:
        """The windows of texts, by their number in all of them, in batches of one length."""
        windows = [window for text in texts for window in self.split(text)]
        for batch in batches([self._padded(window) for window in windows], batch_tokens):
            yield from zip(batch, self._encode_batch([windows[item] for item in batch]), strict=True)

    def _of_texts(self, texts: Sequence[TokenIds], encoded: Iterable[_Encoded]) -> Iterator[Tensor]:
        """The features of each text, given those of the windows of all."""
        by_window = dict(encoded)
        in_order = (by_window.pop(item) for item in range(len(by_window)))
        nothing = torch.zeros(0, self.size, device=self.device)
        for text in texts:
            parts = list(islice(in_order, sum(1 for _ in self.split(text))))
            # Most short texts are one window, and to copy it with several threads takes longer than to read it.
            yield parts[0] if len(parts) == 1 else torch.cat([nothing, *parts])

    def split(self, token_ids: NDArray[np.int64]) -> Iterator[WindowTokens]:
        """The overlapping windows of a text's tokens, in order."""
        for window in windows_of(len(token_ids), self.config.window, self.config.margin):
            yield WindowTokens(token_ids[window.start : window.end], window)

    @torch.inference_mode()
    def _encode_batch(self, windows: Sequence[WindowTokens]) -> list[Tensor]:
        token_ids, attention_mask = self.pad(windows, tokens=max(map(self._padded, windows)))
        return self.unpad(self.features(token_ids.to(self.device), attention_mask.long().to(self.device)), windows)

    def _padded(self, window: WindowTokens) -> int:
        """How long a window is made, alone or among others, so that its features do not depend on those.

        Padding changes nothing but the order of sums, which shows in bfloat16.
        """
        return min(-(-len(window.token_ids) // _STEP) * _STEP, max(self.config.window, len(window.token_ids)))

    def encode_together(self, texts: Sequence[TokenIds]) -> Tensor:
        """The features (N, D) of the tokens of all texts, one text after the other; differentiable, by PyTorch."""
        windows = [window for text in texts for window in self.split(text)]
        rows: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)] * len(windows)
        padded, begin = list[PaddedBatch](), 0
        special = len(self.tokenizer.prefix) + len(self.tokenizer.suffix)
        for batch in _of_like_length([len(window.token_ids) for window in windows]):
            longest = max(len(windows[place].token_ids) for place in batch) + special
            tokens = -(-longest // _STEP) * _STEP - special
            padded.append(PaddedBatch(*self.pad([windows[place] for place in batch], tokens=tokens)))
            _, length = padded[-1].token_ids.shape
            for row, place in enumerate(batch):
                kept = windows[place].kept
                first = begin + row * length + len(self.tokenizer.prefix)
                rows[place] = np.arange(first + kept.start, first + kept.stop)
            begin += padded[-1].token_ids.numel()
        kept_rows = torch.from_numpy(np.concatenate(rows)).to(self.device)
        return self._torch.packed_features(padded).index_select(0, kept_rows)

    def encode_windows(self, windows: Sequence[WindowTokens]) -> list[Tensor]:
        """The kept features (t, D) of each window, encoded in one batch; differentiable."""
        token_ids, attention_mask = self.pad(windows)
        return self.unpad(self.features(token_ids.to(self.device), attention_mask.long().to(self.device)), windows)

    def pad(self, windows: Sequence[WindowTokens], *, tokens: int = 0, rows: int = 0) -> tuple[Tensor, Tensor]:
        """Token ids of a batch, special tokens added, and the attention mask: (B, L) each, the mask boolean.

        ``tokens`` and ``rows`` are the least L, special tokens not counted, and the least B.
        Rows that only fill up the batch repeat the last window.
        """
        prefix, suffix = self.tokenizer.prefix, self.tokenizer.suffix
        ids = [[*prefix, *window.token_ids.tolist(), *suffix] for window in windows]
        ids += ids[-1:] * (rows - len(ids))
        longest = max(tokens + len(prefix) + len(suffix), *(len(row) for row in ids))
        token_ids = torch.tensor([row + [self._padding] * (longest - len(row)) for row in ids])
        return token_ids, torch.arange(longest) < torch.tensor([[len(row)] for row in ids])

    def features(self, token_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """The configured layers of the encoder, concatenated: (B, L, D)."""
        return self.backend.features(token_ids, attention_mask)

    def unpad(self, features: Tensor, windows: Sequence[WindowTokens]) -> list[Tensor]:
        """The kept features (t, D) of each window, from those of a padded batch (B, L, D)."""
        begin = len(self.tokenizer.prefix)
        return [rows[begin:][window.kept] for rows, window in zip(features, windows, strict=False)]


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Indices of items of the same length, in batches of at most ``budget`` tokens.

    An item longer than the budget is a batch of its own.
    """
    in_order = sorted(range(len(lengths)), key=lambda item: lengths[item])
    for length, same in groupby(in_order, key=lambda item: lengths[item]):
        while batch := list(islice(same, max(1, budget // max(1, length)))):
            yield batch


def _of_like_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indices of items, the shortest first, in batches whose lengths differ little."""
    batch: list[int] = []
    for item in sorted(range(len(lengths)), key=lambda item: lengths[item]):
        if batch and lengths[item] > max(_SHORT, _UNLIKE * lengths[batch[0]]):
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch


def _groups(texts: Iterable[TokenIds], budget: int) -> Iterator[list[TokenIds]]:
    """Consecutive texts that together have about ``budget`` tokens."""
    group: list[TokenIds] = []
    tokens = 0
    for text in texts:
        group.append(text)
        tokens += len(text)
        if tokens >= budget:
            yield group
            group, tokens = [], 0
    if group:
        yield group


def _file_digests(name: str, folder: Path) -> list[str]:
    entry = ENCODERS.get(name)
    known = {file.name: file.sha256 for file in entry.files} if entry else {}  # compared when fetched
    files = [folder / "config.json", *sorted(folder.glob("*.safetensors"))]
    return [known.get(path.name) or sha256_of(path) for path in files]


def _check_window(config: EncoderConfig, tokenizer: Tokenizer, positions: int | None) -> None:
    special = len(tokenizer.prefix) + len(tokenizer.suffix)
    if positions is not None and config.window + special > positions:
        raise ConfigError(
            f"encoder.window is {config.window}, but {config.name} reads at most {positions - special} tokens at once "
            f"beside its {special} special ones. Choose {positions - special} or less."
        )
