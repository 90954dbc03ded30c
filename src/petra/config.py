"""Frozen configurations: what one run is, read from and written to TOML.

``RunConfig`` nests the settings of the encoder, the memory, the training and, for
adapted models, of the adapter, the span head, the supervision and the distillation. It
travels inside every checkpoint and is the whole difference between two runs. A
``Recipe`` is one run, or several that follow each other as stages.
"""

from __future__ import annotations

import dataclasses
import math
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar, cast, get_args

import tomli_w

from petra.errors import ConfigError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Variant = Literal["vanilla", "learned-init", "fixed-key", "referential-reader"]
BackendName = Literal["torch", "torch-bf16", "openvino", "openvino-bf16", "openvino-int8", "onnx"]

MOST_CELLS = 10_000
# No model is so large: a number beyond is a slip or damage, and would only fill the memory.
_MOST_FEATURES = 100_000
_MOST_LAYERS = 1_000
_MOST_WIDTH = 1_000
_MOST_INTEGER = 2**64


def _check_sizes(table: str, config: Any, names: tuple[str, ...], most: int) -> None:
    for name in names:
        if getattr(config, name) > most:
            raise ConfigError(f"{table}.{name} is {getattr(config, name)}; the most that can be used is {most:,}.")


@dataclass(frozen=True, kw_only=True, slots=True)
class EncoderConfig:
    """The pretrained encoder, and the windows a text is split into for it."""

    name: str = "mpnet-base"  # a name of the catalogue, a folder, or a hub name
    layers: tuple[int, ...] = (6, 7, 8, 9)  # concatenated; 1 is the first layer's output
    window: int = 384  # tokens encoded together
    margin: int = 64  # tokens of context on either side, where the text has them

    def __post_init__(self) -> None:
        if not self.layers or min(self.layers) < 0:
            raise ConfigError(
                f"encoder.layers is {list(self.layers)}; give at least one layer number, 0 (the embeddings) or more."
            )
        if max(self.layers) > _MOST_LAYERS or len(self.layers) > _MOST_LAYERS:
            raise ConfigError(f"encoder.layers goes up to {max(self.layers)}; encoders have at most {_MOST_LAYERS:,}.")
        _check_sizes("encoder", self, ("window",), _MOST_FEATURES)
        if self.margin < 0 or self.window <= 2 * self.margin:
            raise ConfigError(
                f"encoder.window is {self.window} and encoder.margin {self.margin}; "
                "the window must be larger than two margins."
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryConfig:
    """The memory of one model."""

    num_cells: int = 10  # N in the paper
    usage_decay: float = 0.98  # gamma, how slowly u_t fades
    hidden_size: int = 300  # H, of h_t and of a cell
    mlp_size: int = 300  # hidden layers of MLP_1 and MLP_2
    variant: Variant = "vanilla"  # of PeTra, or the model it is compared with
    key_size: int = 20  # fixed dimensions of a cell, for the fixed-key variant

    def __post_init__(self) -> None:
        if self.num_cells < 1:
            raise ConfigError(f"memory.num_cells is {self.num_cells}; choose 1 or more (the default is 10).")
        _check_sizes("memory", self, ("num_cells",), MOST_CELLS)
        _check_sizes("memory", self, ("hidden_size", "mlp_size"), _MOST_FEATURES)
        if not 0 < self.usage_decay < 1:
            raise ConfigError(f"memory.usage_decay is {self.usage_decay}; it lies between 0 and 1 (the paper: 0.98).")
        for name in ("hidden_size", "mlp_size"):
            if getattr(self, name) < 1:
                raise ConfigError(f"memory.{name} is {getattr(self, name)}; choose 1 or more (the paper: 300).")
        if self.variant not in get_args(Variant):
            raise ConfigError(f"memory.variant is {self.variant!r}; choose one of {', '.join(get_args(Variant))}.")
        if self.variant == "fixed-key" and not 0 < self.key_size < self.hidden_size:
            raise ConfigError(
                f"memory.key_size is {self.key_size}; it must lie between 1 and hidden_size - 1 "
                f"({self.hidden_size - 1})."
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingConfig:
    """How a model learns: the paper's section on training, with its numbers as defaults."""

    max_epochs: int = 100
    batch_size: int = 32
    learning_rate: float = 1e-3
    min_learning_rate: float = 1e-4
    patience_halve: int = 5  # epochs without a better validation F1 before the rate is halved
    patience_stop: int = 15  # and before training stops
    clip_norm: float = 1.0
    dropout: float = 0.5  # on the GRU's output
    feature_dropout: float = 0.0  # on the GRU's input; the paper has none
    temperature: float = 1.0  # tau of the Gumbel-Softmax at the start
    temperature_halve_every: int = 10  # epochs
    tempered_noise: bool = False  # tau divides the Gumbel noise too, as is usual; else 1 - u alone, as in equation 6
    self_link_weight: float = 1.0
    positive_weight: float = 5.0
    negative_weight: float = 50.0
    mention_loss_weight: float = 0.1  # lambda
    shuffle_seed: int = 0  # the order of the documents, the same for every seed of a recipe

    def __post_init__(self) -> None:
        for name in ("max_epochs", "batch_size", "patience_halve", "patience_stop", "temperature_halve_every"):
            if getattr(self, name) < 1:
                raise ConfigError(f"training.{name} is {getattr(self, name)}; choose 1 or more.")
        for name in ("learning_rate", "min_learning_rate", "clip_norm", "temperature"):
            if not getattr(self, name) > 0:
                raise ConfigError(f"training.{name} is {getattr(self, name)}; it must be greater than 0.")
        if self.min_learning_rate > self.learning_rate:
            raise ConfigError(
                f"training.min_learning_rate is {self.min_learning_rate}, more than training.learning_rate "
                f"({self.learning_rate}), which is halved down to it. Choose one that is not larger."
            )
        for name in (
            "self_link_weight",
            "positive_weight",
            "negative_weight",
            "mention_loss_weight",
            "shuffle_seed",
        ):
            if not getattr(self, name) >= 0:
                raise ConfigError(f"training.{name} is {getattr(self, name)}; choose 0 or more.")
        for name in ("dropout", "feature_dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(f"training.{name} is {getattr(self, name)}; it must be at least 0 and less than 1.")


@dataclass(frozen=True, kw_only=True, slots=True)
class AdapterConfig:
    """The encoder's adapter: low-rank updates of its linear layers (LoRA), trained with the memory."""

    rank: int = 0  # 0: the encoder stays as it is
    alpha: float = 32.0  # the update is scaled by alpha / rank
    dropout: float = 0.05  # of the ranks of an update
    learning_rate: float = 3e-4
    ema_decay: float = 0.0  # of the exponential moving average of the weights that is kept; 0: no average
    frozen: bool = False  # it stays as initialise_from has it; memory, span head and linking alone learn
    neutral_pronouns: bool = False  # he and she, him and her, xe .. are read alike: gender enters linking as a feature

    def __post_init__(self) -> None:
        if self.rank < 0:
            raise ConfigError(f"adapter.rank is {self.rank}; choose 1 or more, or 0 for an encoder as it is.")
        _check_sizes("adapter", self, ("rank",), _MOST_FEATURES)
        for name in ("alpha", "learning_rate"):
            if not getattr(self, name) > 0:
                raise ConfigError(f"adapter.{name} is {getattr(self, name)}; it must be greater than 0.")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"adapter.dropout is {self.dropout}; it must be at least 0 and less than 1.")
        if not 0 <= self.ema_decay < 1:
            raise ConfigError(f"adapter.ema_decay is {self.ema_decay}; it must be at least 0 and less than 1.")


@dataclass(frozen=True, kw_only=True, slots=True)
class SpanConfig:
    """The span head, which classifies spans of word pieces: name, pronoun, nominal or no mention."""

    max_width: int = 0  # word pieces of the longest mention; 0: no span head
    size: int = 256  # of its hidden layer
    name_gender: bool = False  # whether it also classifies the gender that a name tells
    refit: bool = True  # whether it is fitted once more after training, on frozen features

    def __post_init__(self) -> None:
        if self.max_width < 0:
            raise ConfigError(f"spans.max_width is {self.max_width}; choose 1 or more, or 0 for no span head.")
        _check_sizes("spans", self, ("max_width",), _MOST_WIDTH)
        _check_sizes("spans", self, ("size",), _MOST_FEATURES)
        if self.size < 1:
            raise ConfigError(f"spans.size is {self.size}; choose 1 or more.")


@dataclass(frozen=True, kw_only=True, slots=True)
class SupervisionConfig:
    """What an adapted model learns from besides GAP, and the weight of each part in the loss."""

    swapped: float = 0.0  # share of instances with names or gender swapped, drawn anew each epoch
    synthetic: int = 0  # synthetic pronoun instances an epoch
    pseudo_labels: int = 0  # pronouns of unlabelled text an epoch, pseudo-labelled by the teachers
    teachers: str = ""  # a stage, or the folder of the models that pseudo-label
    passages: int = 0  # long passages of LitBank and GUM beside each batch; 0: none
    passage_tokens: int = 1024
    short_texts: int = 0  # beside each batch: parts of a few sentences of LitBank and GUM, and as many synthetic ones
    synthetic_documents: int = 0  # that short texts are drawn from
    written_texts: bool = False  # half of the short texts are texts written for training
    rows: int = 0  # beside each batch: several unrelated written texts put into one
    one_gender: bool = False  # texts of women and men are also learned with features that see one gender
    own_decisions: int = 0  # beside each batch: texts and parts that the model reads as it stands, mistakes included
    distant_texts: int = 0  # beside each batch: unlabelled texts in which gender or a replaced name tells of pronouns
    distant_weight: float = 0.5  # of their links
    steps: int = 0  # an epoch, without GAP; 0: an epoch has the instances of GAP and those beside them
    link_weight: float = 0.3  # of the links between mentions and people in passages and short texts
    span_weight: float = 0.3  # of their spans
    mention_weight: float = 0.3  # of e_t on their tokens
    linking_rate: float = 0.1  # learning rate of the weights of the features of linking
    learn_names: bool = True  # also those of names; passages are short, and have few namesakes
    warmup: float = 0.06  # share of the steps before the learning rates reach their height; then they fall to 0

    def __post_init__(self) -> None:
        for name in ("swapped", "warmup"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"supervision.{name} is {getattr(self, name)}; it lies between 0 and 1.")
        for name in (
            "synthetic",
            "pseudo_labels",
            "passages",
            "short_texts",
            "rows",
            "own_decisions",
            "distant_texts",
            "distant_weight",
            "steps",
            "link_weight",
            "span_weight",
            "mention_weight",
        ):
            if not getattr(self, name) >= 0:
                raise ConfigError(f"supervision.{name} is {getattr(self, name)}; choose 0 or more.")
        if self.steps and not (
            self.passages or self.short_texts or self.rows or self.own_decisions or self.distant_texts
        ):
            raise ConfigError(
                f"supervision.steps is {self.steps}, steps without GAP, and there is nothing else to learn from; ask "
                "for passages, short_texts, rows, own_decisions or distant_texts, or leave it out."
            )
        if self.passage_tokens < 1:
            raise ConfigError(f"supervision.passage_tokens is {self.passage_tokens}; choose 1 or more.")


@dataclass(frozen=True, kw_only=True, slots=True)
class DistillationConfig:
    """Distillation from a teacher: a first phase on unlabelled text, and a term of the loss on labelled text."""

    teacher: str = ""  # a stage, or a model by name or folder; empty: no distillation
    steps: int = 2000  # of the first phase
    tokens: int = 16384  # of unlabelled text, a step
    learning_rate: float = 1e-3  # at its peak; then it falls to 0
    weight: float = 0.0  # of the distillation loss on labelled text, after the first phase

    def __post_init__(self) -> None:
        for name in ("steps", "tokens"):
            if getattr(self, name) < 1:
                raise ConfigError(f"distillation.{name} is {getattr(self, name)}; choose 1 or more.")
        if not self.weight >= 0:
            raise ConfigError(f"distillation.weight is {self.weight}; choose 0 or more.")
        if not self.learning_rate > 0:
            raise ConfigError(f"distillation.learning_rate is {self.learning_rate}; it must be greater than 0.")


@dataclass(frozen=True, kw_only=True, slots=True)
class RunConfig:
    """Everything that makes one run what it is."""

    name: str = "petra"
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    initialise_from: str = ""  # a stage or a model, whose weights an adapted one begins with; empty: none
    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    memory: MemoryConfig = field(default_factory=MemoryConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)
    adapter: AdapterConfig = field(default_factory=AdapterConfig)
    spans: SpanConfig = field(default_factory=SpanConfig)
    supervision: SupervisionConfig = field(default_factory=SupervisionConfig)
    distillation: DistillationConfig = field(default_factory=DistillationConfig)

    def __post_init__(self) -> None:
        if not self.seeds or len(set(self.seeds)) != len(self.seeds) or min(self.seeds) < 0:
            raise ConfigError(f"seeds is {list(self.seeds)}; give one or more different whole numbers, 0 or more.")
        if max(self.seeds) >= 2**63:  # what a generator of random numbers takes
            raise ConfigError(f"seeds is {list(self.seeds)}; give numbers below 2^63.")
        if self.initialise_from and not self.adapter.rank:
            raise ConfigError(
                f"initialise_from is {self.initialise_from!r}, but only a model with an adapter can begin with "
                "the weights of another."
            )
        if self.initialise_from and self.distillation.teacher:
            raise ConfigError(
                "initialise_from and distillation.teacher both set the weights that a model begins with; "
                "leave one of them out."
            )

    @classmethod
    def read(cls, path: Path) -> RunConfig:
        """The recipe in a TOML file; of one with stages the last."""
        return read_recipe(path, cls.from_toml)

    @classmethod
    def read_stored(cls, path: Path) -> RunConfig:
        """The recipe in the folder of a trained model, where settings may have their former names."""
        return read_recipe(path, lambda text: from_dict(cls, _with_new_names(parse_toml(text))))

    @classmethod
    def from_toml(cls, text: str) -> RunConfig:
        return Recipe.from_toml(text).stages[-1].config

    def to_toml(self) -> str:
        return tomli_w.dumps(self.settings)

    @property
    def settings(self) -> dict[str, Any]:
        """The run as plain values, without the settings of adapted models where these have their defaults."""
        values = to_dict(self)
        return {
            name: value
            for name, value in values.items()
            if name not in _OPTIONAL or getattr(self, name) != _OPTIONAL[name]
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """A part of a recipe: some seeds of one configuration."""

    name: str  # empty in a recipe without stages
    config: RunConfig

    @property
    def references(self) -> dict[str, str]:
        """The models and stages that this one needs, by the settings that name them."""
        config = self.config
        named = {
            "initialise_from": config.initialise_from,
            "supervision.teachers": config.supervision.teachers if config.supervision.pseudo_labels else "",
            "distillation.teacher": config.distillation.teacher,
        }
        return {setting: name for setting, name in named.items() if name}


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """Stages in their order: a later one may begin with, or learn from, the models of an earlier one."""

    stages: tuple[Stage, ...]

    @classmethod
    def read(cls, path: Path) -> Recipe:
        """The recipe in a TOML file."""
        return read_recipe(path, cls.from_toml)

    @classmethod
    def from_toml(cls, text: str) -> Recipe:
        values = parse_toml(text)
        if "grid" in values:
            raise ConfigError("a recipe with [grid] is one of `petra reproduce`; this needs a recipe of one model.")
        tables = values.pop("stages", None)
        if tables is None:
            return cls(stages=(Stage(name="", config=from_dict(RunConfig, values)),))
        return cls(stages=_stages(values, tables))

    def stage(self, name: str) -> Stage:
        """The stage of that name."""
        for stage in self.stages:
            if stage.name == name and name:
                return stage
        known = ", ".join(stage.name for stage in self.stages if stage.name) or "none"
        raise ConfigError(f"no stage is named {name!r}. Stages of this recipe: {known}.")

    def earlier(self, stage: Stage) -> tuple[Stage, ...]:
        """The stages before one."""
        return self.stages[: [each.name for each in self.stages].index(stage.name)]

    def with_seeds(self, seeds: tuple[int, ...], name: str | None = None) -> Recipe:
        """The recipe with other seeds of one stage; of the last if none is named."""
        chosen = self.stages[-1] if name is None else self.stage(name)
        changed = dataclasses.replace(chosen, config=dataclasses.replace(chosen.config, seeds=seeds))
        return Recipe(stages=tuple(changed if stage is chosen else stage for stage in self.stages))


def _stages(shared: Mapping[str, Any], tables: Any) -> tuple[Stage, ...]:
    """The stages of a recipe: the shared settings, with the changes of each."""
    if not isinstance(tables, list) or not tables or not all(isinstance(table, Mapping) for table in tables):
        raise ConfigError("stages are one or more tables, [[stages]].")
    names = [table.get("name") for table in tables]
    for name in names:
        if not isinstance(name, str) or not re.fullmatch(r"(?!seed-)[A-Za-z0-9][\w-]*", name):
            raise ConfigError(f"the name of a stage is {name!r}; give each a name of letters, digits and hyphens.")
    if len(set(names)) != len(names):
        raise ConfigError(f"the stages are named {', '.join(names)}; give each a name of its own.")
    if "seeds" in tables[-1]:
        raise ConfigError(f"stage {names[-1]}: the seeds of the last stage stand before the first section.")
    stages = []
    for table in tables:
        try:
            stages.append(Stage(name=table["name"], config=_stage_config(shared, table, is_last=table is tables[-1])))
            _check_order(stages[-1], names)
        except ConfigError as error:
            raise ConfigError(f"stage {table['name']}: {error}") from None
    return tuple(stages)


def _stage_config(shared: Mapping[str, Any], own: Mapping[str, Any], *, is_last: bool) -> RunConfig:
    values = {**shared}
    for name, value in own.items():
        if name in _NESTED and isinstance(value, Mapping):
            section = values.get(name, {})
            value = {**(section if isinstance(section, Mapping) else {}), **value}
        values[name] = value
    name = shared.get("name", RunConfig().name)
    values["name"] = name if is_last else f"{name}-{own['name']}"
    return from_dict(RunConfig, values)


def _check_order(stage: Stage, names: list[str]) -> None:
    for setting, name in stage.references.items():
        if name in names[names.index(stage.name) :]:
            raise ConfigError(f"{setting} is {name!r}, which is no earlier stage. Change the order of the stages.")


_OPTIONAL = {
    "initialise_from": "",
    "adapter": AdapterConfig(),
    "spans": SpanConfig(),
    "supervision": SupervisionConfig(),
    "distillation": DistillationConfig(),
}

C = TypeVar("C")


def read_recipe(path: Path, parse: Callable[[str], C]) -> C:
    """What a recipe file says, by a function that understands its text."""
    try:
        return parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"No recipe at {path}. The recipes that come with PeTra are in recipes/.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as a recipe: {error}") from None
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def parse_toml(text: str) -> dict[str, Any]:
    """The values in a TOML text."""
    try:
        values: dict[str, Any] = tomllib.loads(text)
        _check_numbers(values)
    except RecursionError:
        raise ConfigError("not a TOML file that can be used: its tables are nested too deeply.") from None
    except ValueError as error:  # also a number of thousands of digits
        raise ConfigError(f"not a TOML file: {error}") from None
    return values


def _check_numbers(value: Any) -> None:
    """Refuse numbers that no setting can have; Python reads hexadecimal ones of any length."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            _check_numbers(each)
    elif isinstance(value, int) and abs(value) >= _MOST_INTEGER:
        raise ConfigError("a whole number in it has more than 64 bits; settings are smaller.")
    elif isinstance(value, float) and not math.isfinite(value):
        raise ConfigError(f"a number in it is {value}; settings are finite.")


_NESTED = {
    "encoder": EncoderConfig,
    "memory": MemoryConfig,
    "training": TrainingConfig,
    "adapter": AdapterConfig,
    "spans": SpanConfig,
    "supervision": SupervisionConfig,
    "distillation": DistillationConfig,
}


def to_dict(config: Any) -> dict[str, Any]:
    """A configuration as plain values, for TOML and JSON."""

    def plain(value: Any) -> Any:
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return to_dict(value)
        return list(value) if isinstance(value, tuple) else value

    return {f.name: plain(getattr(config, f.name)) for f in dataclasses.fields(config)}


def from_dict(kind: type[C], values: Mapping[str, Any], where: str = "") -> C:
    """A configuration from plain values; unknown names and wrong types are errors."""
    fields = {f.name: f for f in dataclasses.fields(cast(Any, kind))}
    taken: dict[str, Any] = {}
    for name, value in values.items():
        if name not in fields:
            if new := _RENAMED.get(f"{where}{name}"):
                value_now = ", with 1 less the value" if new == "adapter.ema_decay" else ""
                raise ConfigError(f"{where}{name} has a new name: write {new}{value_now}.")
            raise ConfigError(f"unknown setting {where}{name}; known here: {', '.join(fields)}.")
        default = fields[name].default
        if name in _NESTED and kind is RunConfig:
            if not isinstance(value, Mapping):
                raise ConfigError(f"{where}{name} is {value!r}; expected a table, [{name}].")
            taken[name] = from_dict(_NESTED[name], value, f"{name}.")
        elif isinstance(default, tuple):
            item = type(default[0])
            if not isinstance(value, (list, tuple)) or not all(type(each) is item for each in value):
                raise ConfigError(f"{where}{name} is {value!r}; expected a list of {_KINDS_OF_ITEMS[item]}.")
            taken[name] = tuple(value)
        elif isinstance(default, float) and type(value) in (int, float):
            taken[name] = float(value)
        elif type(value) is type(default):
            taken[name] = value
        else:
            raise ConfigError(f"{where}{name} is {value!r}; expected {_KINDS[type(default)]}.")
    return kind(**taken)


# Former names of settings. A recipe with one is an error; a model that was trained by one still loads.
_RENAMED = {
    "start": "initialise_from",
    "imitation": "distillation",
    "distillation.model": "distillation.teacher",
    "supervision.made": "supervision.synthetic",
    "supervision.believed": "supervision.pseudo_labels",
    "adapter.average": "adapter.ema_decay",
}


def _with_new_names(values: Mapping[str, Any], table: str = "") -> dict[str, Any]:
    """The values of a stored recipe under the present names of their settings."""
    renamed: dict[str, Any] = {}
    for name, value in values.items():
        new = _RENAMED.get(f"{table}{name}", name).rpartition(".")[2]
        if f"{table}{name}" == "adapter.average":  # the share of the newest weights; 0: no average
            value = 1 - value if value else 0.0
        renamed[new] = _with_new_names(value, f"{new}.") if isinstance(value, Mapping) else value
    return renamed


_KINDS = {int: "a whole number", float: "a number", str: "a string in quotes", bool: "true or false"}
_KINDS_OF_ITEMS = {int: "whole numbers", str: "strings in quotes"}
