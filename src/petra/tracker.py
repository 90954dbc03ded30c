"""The stages joined: a text in, its people out.

Letters: T tokens of a text, N cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, tee
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor

from petra.config import RunConfig
from petra.devices import choose_device
from petra.encoder.pretrained import BATCH_TOKENS, PretrainedEncoder
from petra.encoder.progress import Report, silent
from petra.errors import ConfigError, ModelError
from petra.log.memory_log import MemoryLog
from petra.memory.network import Network
from petra.memory.reading import EPSILON, Rows, TextReader
from petra.people.grouping import PeopleReader, Person, find_people
from petra.report.as_json import dump, tracking_json
from petra.streaming import Stream
from petra.text.document import Document
from petra.trained import TrainedModel, load_trained


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Tracking:
    """What was found in a text."""

    source: str | None  # where the text came from, for people to read
    log: MemoryLog
    people: tuple[Person, ...]

    @property
    def model(self) -> str:
        return self.log.model

    @property
    def text(self) -> str:
        return self.log.text

    def to_dict(self) -> dict[str, Any]:
        """The people as plain values of the schema ``petra.tracking/1``."""
        return tracking_json(
            source=self.source, model=self.model, text=self.text, num_tokens=self.log.num_tokens, people=self.people
        )

    def to_json(self, *, indent: int | None = 2) -> str:
        """The same as JSON; with no indent, on one line."""
        return dump(self.to_dict(), indent=indent)


class Tracker:
    """A model ready to read texts.

    ``cells`` is the number of memory cells, the model's own unless given (other numbers
    are for vanilla models). ``threshold`` is the least probability of a gate that
    counts when people are found.
    """

    def __init__(
        self,
        *,
        name: str,
        config: RunConfig,
        encoder: PretrainedEncoder,
        network: Network,
        threshold: float,
        epsilon: float = EPSILON,
    ) -> None:
        self.name = name
        self.config = config
        self.encoder = encoder
        self.network = network
        self.threshold = threshold
        self.epsilon = epsilon  # tokens less likely part of a mention are skipped; 0 reads them all

    def track(
        self,
        text: str,
        *,
        cells: int | None = None,
        threshold: float | None = None,
        source: str | None = None,
        report: Report = silent,
    ) -> Tracking:
        """Find the people of a text. Report is told of tokens read.

        The text is encoded window by window and read as it goes: besides the log, long
        texts need no more memory than short ones.
        """
        if not isinstance(text, str):
            raise TypeError(f"A text is a str, and this is {type(text).__name__}. Decode bytes first.")
        threshold = self._threshold(threshold)
        reader = self._reader(cells)
        document = self.encoder.tokenizer.tokenize(text)
        log = self._read(document, self.encoder.encode(document), reader, threshold, report)
        return Tracking(source=source, log=log, people=find_people(log))

    def track_many(
        self, texts: Iterable[str], *, cells: int | None = None, threshold: float | None = None
    ) -> Iterator[Tracking]:
        """Find the people of each text, in the order given; short texts are encoded together.

        Texts are taken from the iterable as they are needed, a few thousand words ahead.
        """
        logs = self._logs(texts, cells, self._threshold(threshold))
        return (Tracking(source=None, log=log, people=find_people(log)) for log in logs)

    def logs(self, texts: Iterable[str], *, cells: int | None = None) -> Iterator[MemoryLog]:
        """The memory log of each text, in the order given."""
        return self._logs(texts, cells, self.threshold)

    def stream(self, *, cells: int | None = None, threshold: float | None = None) -> Stream:
        """Read a text that arrives bit by bit, in bounded memory."""
        return Stream(self.encoder, self._reader(cells), PeopleReader(self._threshold(threshold)))

    def _logs(self, texts: Iterable[str], cells: int | None, threshold: float) -> Iterator[MemoryLog]:
        if isinstance(texts, str):
            raise TypeError("Several texts were expected, and one came. Give a list of texts, or use Tracker.track.")
        self._reader(cells)  # so that a wrong number is told here, before anything is read
        return self._read_in_order(map(self.encoder.tokenizer.tokenize, texts), cells, threshold)

    def _read_in_order(self, documents: Iterator[Document], cells: int | None, threshold: float) -> Iterator[MemoryLog]:
        # A long text fills the encoder's batches by itself, and all its features at once would be many.
        for is_long, group in groupby(documents, key=lambda document: len(document) > BATCH_TOKENS):
            ours, encoded = tee(group)
            features: Iterator[Iterable[Tensor]] = (
                map(self.encoder.encode, encoded)
                if is_long
                else ((whole,) for whole in self.encoder.encode_many(encoded))
            )
            for document, pieces in zip(ours, features, strict=True):
                yield self._read(document, pieces, self._reader(cells), threshold, silent)

    def _read(
        self, document: Document, features: Iterable[Tensor], reader: TextReader, threshold: float, report: Report
    ) -> MemoryLog:
        rows = _empty_rows(len(document), reader.num_cells)
        done = 0
        for piece in features:
            for whole, part in zip(rows, reader.read(piece), strict=True):
                whole[done : done + len(piece)] = part
            done += len(piece)
            report(done, len(document))
        return MemoryLog(
            text=document.text,
            model=self.name,
            threshold=threshold,
            starts=document.starts,
            ends=document.ends,
            words=document.words,
            **rows._asdict(),
        )

    def _reader(self, cells: int | None) -> TextReader:
        return TextReader(self.network, cells, epsilon=self.epsilon)

    def _threshold(self, threshold: float | None) -> float:
        if threshold is not None and not 0 <= threshold <= 1:
            raise ConfigError(f"The threshold is {threshold}; it lies between 0 and 1.")
        return self.threshold if threshold is None else threshold


def load(name: str | Path | None = None, *, device: str | None = None, report: Report = silent) -> Tracker:
    """The tracker of a trained model, by its name or folder; the default one if neither is given.

    The model's encoder is fetched on first use, and report told of the bytes. The encoder
    runs on the device; the memory, a long chain of small steps, is faster on the CPU.
    """
    place = choose_device(device)
    model = load_trained(name)
    network = _network(model)
    encoder = PretrainedEncoder.load(model.config.encoder, device=place, report=report)
    if encoder.size != network.input_size:
        raise ModelError(
            f"The model {model.name} reads {network.input_size} features of a token; its encoder "
            f"{model.config.encoder.name}, layers {list(model.config.encoder.layers)}, gives {encoder.size}. "
            "Give the encoder that it was trained with."
        )
    return Tracker(
        name=model.name, config=model.config, encoder=encoder, network=network, threshold=model.people_threshold
    )


def _network(model: TrainedModel) -> Network:
    try:
        network = Network(model.config.memory, model.weights["recurrent_inputs"].shape[1])
        network.load_state_dict(dict(model.weights))
    except (KeyError, IndexError, RuntimeError) as error:
        reason = str(error).splitlines()[-1].strip()
        raise ModelError(
            f"The weights of the model {model.name} do not fit its configuration: {reason} "
            "Install PeTra again, or train the model again."
        ) from None
    return network.eval().requires_grad_(False)


def _empty_rows(tokens: int, cells: int) -> Rows:
    """Room for the rows of a whole text."""
    by_cell = (np.empty((tokens, cells), dtype=np.float32) for _ in range(3))
    return Rows(np.empty(tokens, dtype=np.float32), *by_cell)
