"""The stages joined: a text in, its people out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby, tee
from pathlib import Path
from typing import Any, overload

import numpy as np
import torch
from torch import Tensor

from petra.config import EncoderConfig, RunConfig
from petra.domain import Event, Mention, Person, Quotation
from petra.encoder.adapter import adapter_of
from petra.encoder.backends.choosing import AUTO, choose_backend
from petra.encoder.pretrained import BATCH_TOKENS, PretrainedEncoder
from petra.encoder.resolve import check_is_asked_for
from petra.english.chapters import Chapter, find_chapters
from petra.errors import ConfigError, LogError, ModelError, TextError
from petra.linking.explain import Explanation, explained
from petra.linking.linker import Link
from petra.linking.record import LinkRecord
from petra.linking.scorer import FeatureWeights, feature_weights, initial_weights
from petra.log.edits import Edit
from petra.log.memory_log import MemoryLog
from petra.memory.inference.person_memory import REGISTER_SIZE
from petra.memory.inference.text_reader import EPSILON, TextReader
from petra.memory.models import Model, make_model
from petra.memory.network import Network
from petra.memory.referential.network import ReferentialReader
from petra.memory.referential.text_reader import ReferentialTextReader
from petra.mentions.choose import DetectedMention
from petra.mentions.span_head import SpanHead, span_head_of
from petra.people.cast import find_cast
from petra.people.edits import Editor
from petra.people.finding import find_people, find_quotations, uncorrected
from petra.people.profiles import PersonProfile, Profiler
from petra.reading.by_mention.reader import ByMentionReader
from petra.reading.by_mention.resolver import Watcher
from petra.reading.by_token.reader import ByTokenReader, MemoryReader
from petra.reading.document import pieces, read_document, read_gates
from petra.reading.reader import Reader
from petra.reading.stream import Stream
from petra.report.export.tracked import Exports, TrackedText
from petra.report.values.as_json import Corrections, dump, tracking_json
from petra.runtime.devices import choose_device
from petra.runtime.progress import Report, silent
from petra.runtime.threads import one_thread, use_threads
from petra.speakers.attribute import attribute_quotations
from petra.text.document import Document
from petra.text.many import Counted, checked
from petra.trained import TrainedModel, load_trained


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Tracking(Exports):
    """What was found in a text."""

    source: str | None  # where the text came from, for people to read
    log: MemoryLog
    people: tuple[Person, ...]
    explainer: Callable[[Mention], Explanation] | None = field(default=None, repr=False)

    @property
    def model(self) -> str:
        return self.log.model

    @property
    def text(self) -> str:
        return self.log.text

    @property
    def tracked_text(self) -> TrackedText:
        """What was found without the memory log, as exports are made from."""
        return TrackedText(
            source=self.source,
            model=self.model,
            text=self.text,
            num_tokens=self.log.num_tokens,
            people=self.people,
            quotations=self.quotations,
        )

    @property
    def quotations(self) -> tuple[Quotation, ...]:
        """What is said in the text, in text order, with the ids of the people who speak and are spoken to."""
        return find_quotations(self.log)

    @property
    def cast(self) -> tuple[Person, ...]:
        """The people who have a name or come again, apart from those mentioned in passing."""
        return find_cast(self.people, self.text)

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """The chapters of the text; none if it has no headings."""
        return find_chapters(self.text)

    def profile(self, person: Person) -> PersonProfile:
        """Names, pronouns, presence and company of a person; for many people at once, ``profiles``."""
        return Profiler(self.people, self.text, self.quotations).profile(person)

    def profiles(self, people: Iterable[Person] | None = None) -> tuple[PersonProfile, ...]:
        """The profiles of the people given, or of the cast."""
        profiler = Profiler(self.people, self.text, self.quotations)
        return tuple(map(profiler.profile, self.cast if people is None else people))

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The corrections made, in their order."""
        return self.log.edits

    def editor(self) -> Editor:
        """Correct the people and quotations by hand; ``edited`` then gives the corrected tracking."""
        if not self.edits:
            return Editor(self.text, self.people, self.quotations)
        found = uncorrected(self.log)
        return Editor(self.text, find_people(found), find_quotations(found), self.edits)

    def edited(self, editor: Editor) -> Tracking:
        """The same text as an editor of it corrected it."""
        return replace(self, log=replace(self.log, edits=editor.edits), people=editor.people)

    def corrected(self, edits: Sequence[Edit]) -> Tracking:
        """The same text with these corrections instead of those made so far; an edit that does not fit is left out."""
        editor = self.editor()
        return self.edited(Editor(self.text, *editor.found, edits))

    def explain(self, mention: Mention) -> Explanation:
        """Why a mention is of whom it is: the candidates, and what memory and features add to the score of each.

        The text is read again up to the mention, so on a novel this takes as long as tracking.
        """
        if self.explainer is None:
            raise LogError(
                "This tracking has no model at hand to explain it. Track the text again with a model that reads "
                "mention by mention (base, small); what one that reads token by token decides is in its memory log."
            )
        return self.explainer(mention)

    def mention_at(self, offset: int) -> Mention:
        """The mention at a character of the text; where mentions nest, the shortest."""
        found = [each for person in self.people for each in person.mentions if each.start <= offset < each.end]
        if not found:
            raise TextError(
                f"No mention of a person was found at character {offset}. `petra track --json` lists the mentions "
                "with their offsets."
            )
        return min(found, key=lambda mention: mention.end - mention.start)

    def to_dict(self) -> dict[str, Any]:
        """The people and quotations as plain values of the schema ``petra.tracking/1``."""
        return tracking_json(
            source=self.source,
            model=self.model,
            text=self.text,
            num_tokens=self.log.num_tokens,
            people=self.people,
            quotations=self.quotations,
            corrections=self._corrections,
        )

    @property
    def _corrections(self) -> Corrections | None:
        if not self.edits:
            return None
        found = uncorrected(self.log)
        return Corrections(self.edits, find_people(found), find_quotations(found))

    def to_json(self, *, indent: int | None = 2) -> str:
        """The same as JSON; with no indent, on one line."""
        return dump(self.to_dict(), indent=indent)

    def _repr_html_(self) -> str:
        """The people and the beginning of the text with their mentions marked, as notebooks show it."""
        from petra.report.page.notebook import notebook_html

        return notebook_html(self.text, self.people)


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
        network: Model,
        span_head: SpanHead | None = None,
        linking_weights: FeatureWeights | None = None,
        threshold: float,
        epsilon: float = EPSILON,
        register_size: int = REGISTER_SIZE,
    ) -> None:
        self.name = name
        self.config = config
        self.encoder = encoder
        self.network = network
        self.span_head = span_head  # of a model that is read mention by mention; others are read token by token
        self.linking_weights = linking_weights or initial_weights()
        self.threshold = threshold
        self.epsilon = epsilon  # tokens less likely part of a mention are skipped; 0 reads them all
        self.register_size = register_size  # people kept besides those in the cells, for a model with a span head

    def track(
        self,
        text: str,
        *,
        cells: int | None = None,
        threshold: float | None = None,
        source: str | None = None,
        report: Report = silent,
    ) -> Tracking:
        """Find the people of a text; ``report`` is called with the number of tokens read.

        The text is encoded window by window and read as it goes: besides the log, long
        texts need no more memory than short ones.
        """
        if not isinstance(text, str):
            raise TypeError(f"A text is a str, and this is {type(text).__name__}. Decode bytes first.")
        threshold = self._threshold(threshold)
        self._reader(cells, threshold)  # so that a wrong number is an error before anything is encoded
        document = self.encoder.tokenizer.tokenize(text)
        return self._tracking(document, self.encoder.encode(document), cells, threshold, source, report)

    @overload
    def __call__(  # type: ignore[overload-overlap]  # a str is an iterable of str too, and here one text
        self, texts: str, *, cells: int | None = None, threshold: float | None = None
    ) -> Tracking: ...

    @overload
    def __call__(
        self, texts: Iterable[str], *, cells: int | None = None, threshold: float | None = None
    ) -> list[Tracking]: ...

    def __call__(
        self, texts: str | Iterable[str], *, cells: int | None = None, threshold: float | None = None
    ) -> Tracking | list[Tracking]:
        """What ``track`` finds in a text or, for several texts, the list of what ``track_many`` finds.

        So a tracker can be given where a pipeline of Hugging Face is called.
        """
        if isinstance(texts, str):
            return self.track(texts, cells=cells, threshold=threshold)
        return list(self.track_many(texts, cells=cells, threshold=threshold))

    def track_many(
        self,
        texts: Iterable[str],
        *,
        cells: int | None = None,
        threshold: float | None = None,
        report: Report = silent,
    ) -> Iterator[Tracking]:
        """Find the people of each text, in the order given; short texts are encoded together.

        Texts are taken from the iterable as they are needed, a few thousand words ahead.
        ``report`` is called with the tokens read, and with those of all texts taken so far.
        """
        least = self._threshold(threshold)
        self._reader(cells, least)  # so that a wrong number is an error here, before anything is read
        counted = Counted(report)
        return (
            self._tracking(document, features, cells, least, report=counted.within(document))
            for document, features in self._encoded(texts, counted.take)
        )

    def read(self, document: Document, features: Iterable[Tensor], *, threshold: float | None = None) -> Tracking:
        """Find the people of a document whose features (t, D) are known, piece by piece."""
        return self._tracking(document, features, None, self._threshold(threshold))

    def decisions(self, text: str) -> tuple[list[Event], list[LinkRecord]]:
        """The mentions of a text before the second pass, with the decision on each if the model has a span head."""
        reader = self._reader(None, self.threshold)
        document = self.encoder.tokenizer.tokenize(text)
        readings = [reader.feed(*piece) for piece in pieces(document, self.encoder.encode(document))]
        readings.append(reader.finish())
        events = [event for reading in readings for event in reading.events]
        return events, [record for reading in readings for record in reading.records]

    def logs(self, texts: Iterable[str], *, cells: int | None = None) -> Iterator[MemoryLog]:
        """The memory log of each text read token by token, as the paper does, in the order given."""
        self._memory_reader(cells)
        return (
            read_gates(document, features, self._memory_reader(cells), model=self.name, threshold=self.threshold)
            for document, features in self._encoded(texts)
        )

    def people_logs(self, texts: Iterable[str], *, cells: int | None = None) -> Iterator[MemoryLog]:
        """The memory log that the people of each text were found with, in the order given.

        For a model with a span head this is the log of its mentions, else what ``logs`` gives.
        """
        return (tracking.log for tracking in self.track_many(texts, cells=cells))

    def stream(self, *, cells: int | None = None, threshold: float | None = None) -> Stream:
        """Read a text that arrives bit by bit, in bounded memory."""
        return Stream(self.encoder, self._reader(cells, self._threshold(threshold)))

    def _encoded(
        self, texts: Iterable[str], take: Callable[[Document], object] = len
    ) -> Iterator[tuple[Document, Iterable[Tensor]]]:
        """Each text with its features, in the order given; ``take`` is called with each as it is taken."""
        each = checked(texts)

        def documents() -> Iterator[Document]:
            for text in each:
                document = self.encoder.tokenizer.tokenize(text)
                take(document)
                yield document

        return self._encoded_in_order(documents())

    def _encoded_in_order(self, documents: Iterator[Document]) -> Iterator[tuple[Document, Iterable[Tensor]]]:
        # A long text fills the encoder's batches by itself, and all its features at once would be many.
        for is_long, group in groupby(documents, key=lambda document: len(document) > BATCH_TOKENS):
            ours, encoded = tee(group)
            features: Iterator[Iterable[Tensor]] = (
                map(self.encoder.encode, encoded)
                if is_long
                else ((whole,) for whole in self.encoder.encode_many(encoded))
            )
            yield from zip(ours, features, strict=True)

    def _tracking(
        self,
        document: Document,
        features: Iterable[Tensor],
        cells: int | None,
        threshold: float,
        source: str | None = None,
        report: Report = silent,
    ) -> Tracking:
        reader = self._reader(cells, threshold)
        log = read_document(document, features, reader, model=self.name, threshold=threshold, report=report)
        if log.mentions is not None:
            log = replace(log, quotations=attribute_quotations(document.text, log.mentions))
        people = find_people(log)
        by_mention = reader.read_by == "mention"
        explainer = partial(self._explain, document, log, people, cells, threshold) if by_mention else None
        return Tracking(source=source, log=log, people=people, explainer=explainer)

    def _explain(
        self,
        document: Document,
        log: MemoryLog,
        people: Sequence[Person],
        cells: int | None,
        threshold: float,
        mention: Mention,
    ) -> Explanation:
        """Read a document again up to a mention, and explain the decision on it."""
        ids: dict[int, int] = {}  # of the linker's people
        found: list[tuple[Event, DetectedMention, Link]] = []

        def watch(event: Event, span: DetectedMention, link: Link) -> None:
            ids[link.person] = event.person_id
            if (event.mention.start, event.mention.end) == (mention.start, mention.end):
                found.append((event, span, link))

        reader = self._reader(cells, threshold, watch)
        for piece, features in pieces(document, self.encoder.encode(document)):
            reader.feed(piece, features)
            if found:
                break
        else:
            reader.finish()
        if not found:
            raise TextError(f"There is no mention at {mention.start}..{mention.end} of the text that was tracked.")
        event, span, link = found[0]
        names = {person.id: person.name for person in people}
        assert log.mentions is not None
        final = log.mentions.final_person
        place = np.flatnonzero((log.mentions.starts == mention.start) & (log.mentions.ends == mention.end))[0]
        person_id = int(log.mentions.people[place])
        return explained(
            event.mention,
            link,
            self.linking_weights,
            mention_probability=span.probability,
            person_id=person_id,
            known={person: (final[number], names[final[number]]) for person, number in ids.items()},
            moved_to=names[person_id] if log.mentions.moved[place] else None,
        )

    def _reader(self, cells: int | None, threshold: float, watcher: Watcher | None = None) -> Reader:
        if self.span_head is not None and isinstance(self.network, Network):
            return ByMentionReader(
                self.network,
                self.span_head,
                cells,
                threshold=threshold,
                register_size=self.register_size,
                weights=self.linking_weights,
                watcher=watcher,
            )
        return ByTokenReader(self._memory_reader(cells), threshold=threshold)

    def _memory_reader(self, cells: int | None) -> MemoryReader:
        if isinstance(self.network, ReferentialReader):
            return ReferentialTextReader(self.network, cells)
        return TextReader(self.network, cells, epsilon=self.epsilon)

    def _threshold(self, threshold: float | None) -> float:
        if threshold is not None and not 0 <= threshold <= 1:
            raise ConfigError(f"The threshold is {threshold}; it lies between 0 and 1.")
        return self.threshold if threshold is None else threshold


def load(
    name: str | Path | None = None,
    *,
    device: str | None = None,
    backend: str | None = None,
    threads: int | None = None,
    report: Report = silent,
) -> Tracker:
    """The tracker of a trained model, by its name or folder; the default one if neither is given.

    The model's encoder is fetched on first use; ``report`` is called with the bytes. The encoder
    runs on the device; the memory, a long chain of small steps, is faster on the CPU.
    ``backend`` is what computes the encoder: ``auto`` (or what PETRA_BACKEND says) unless
    given. ``threads`` (or PETRA_THREADS) is the number of threads, for the whole process.
    """
    use_threads(threads)
    place = choose_device(device)
    asked = backend or os.environ.get("PETRA_BACKEND") or AUTO
    return tracker_of(load_trained(name), device=place, backend=asked, report=report)


def tracker_of(
    model: TrainedModel,
    *,
    device: str | torch.device = "cpu",
    backend: str = "torch",
    encoder: PretrainedEncoder | None = None,
    report: Report = silent,
) -> Tracker:
    """The tracker of a model that is loaded; its encoder may be given, where it is loaded too."""
    with one_thread():
        network = _network(model)
    if encoder is None:
        check_is_asked_for(model.config.encoder.name, model.name)
        encoder = PretrainedEncoder.load(
            _reading_config(model),
            adapter=adapter_of(model.config.adapter, model.weights),
            device=device,
            backend=choose_backend(backend, model.reading.safe_backends, torch.device(device)),
            report=report,
        )
    if encoder.size != network.input_size:
        raise ModelError(
            f"The model {model.name} reads {network.input_size} features of a token; its encoder "
            f"{model.config.encoder.name}, layers {list(model.config.encoder.layers)}, gives {encoder.size}. "
            "Give the encoder that it was trained with."
        )
    return Tracker(
        name=model.name,
        config=model.config,
        encoder=encoder,
        network=network,
        span_head=span_head_of(model.config.spans, model.weights, encoder.size),
        linking_weights=feature_weights(model.weights),
        threshold=model.people_threshold,
    )


def _reading_config(model: TrainedModel) -> EncoderConfig:
    """The encoder, with the windows that texts are read in."""
    config, reading = model.config.encoder, model.reading
    if reading.window is None or reading.margin is None:
        return config
    return replace(config, window=reading.window, margin=reading.margin)


def _network(model: TrainedModel) -> Model:
    inputs = "inputs" if model.config.memory.variant == "referential-reader" else "recurrent_inputs"
    try:
        input_size = model.weights[inputs].shape[1]
        with torch.device("meta"):  # shapes alone: nothing of a wrong size is made
            expected = make_model(model.config.memory, input_size).state_dict()
        for name, value in expected.items():
            if model.memory_weights[name].shape != value.shape:
                raise RuntimeError(f"{name} is {tuple(model.memory_weights[name].shape)}, not {tuple(value.shape)}.")
        network = make_model(model.config.memory, input_size)
        network.load_state_dict(model.memory_weights)
    except (KeyError, IndexError, RuntimeError) as error:
        reason = str(error).splitlines()[-1].strip()
        raise ModelError(
            f"The weights of the model {model.name} do not fit its configuration: {reason} "
            "Install PeTra again, or train the model again."
        ) from None
    return network.eval().requires_grad_(False)
