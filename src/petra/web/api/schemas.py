"""What the API takes and gives, as its description shows it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from petra.log.edits import LONGEST_NAME, EditVerb
from petra.log.memory_log import ReadBy
from petra.report.values.as_json import SCHEMA as TRACKING
from petra.report.values.differences import SCHEMA as COMPARISON
from petra.report.values.differences import DifferenceKind
from petra.web.api.steps import SCHEMA as STEPS
from petra.web.reading.jobs import State


class Ask(BaseModel):
    """A text to be read."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: Annotated[str, Field(description="The text.", examples=["Amelia met Ruth. She had brought her a map."])]
    source: Annotated[str | None, Field(max_length=200, description="Where it comes from, for people to read.")] = None
    model: Annotated[str | None, Field(description="A model that /api/models names; the first one unless given.")] = (
        None
    )
    cells: Annotated[int | None, Field(ge=1, description="Memory cells; the model's own number unless given.")] = None
    threshold: Annotated[
        float | None,
        Field(ge=0, le=1, description="Least probability of a decision that counts; the model's own unless given."),
    ] = None


class AskJob(Ask):
    """A text to be read while the client does something else."""

    keep: Annotated[
        bool,
        Field(description="Keep the result although nobody looks at it: whoever has its id can see it."),
    ] = False


SpanOffsets = tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=1)]]
PersonOrSpan = Annotated[
    int | SpanOffsets, Field(description="A person by id, or by the start and end of one of their mentions.")
]


class AskEdit(BaseModel):
    """A correction; which fields it needs depends on `edit`, as with `petra edit`."""

    model_config = ConfigDict(extra="forbid")

    edit: EditVerb
    people: Annotated[list[PersonOrSpan], Field(max_length=100, description="To be merged.")] = []
    person: PersonOrSpan | None = None
    mentions: Annotated[
        list[SpanOffsets], Field(max_length=10_000, description="Starts and ends, in Unicode code points of the text.")
    ] = []
    quotation: Annotated[SpanOffsets | None, Field(description="Where the quotation lies, or a part of it.")] = None
    name: Annotated[str | None, Field(max_length=LONGEST_NAME)] = None
    kind: Literal["name", "pronoun", "nominal"] | None = None


class MadeEdit(BaseModel):
    """A correction that was made."""

    edit: EditVerb
    words: str


class EditsAnswer(BaseModel):
    """The corrections of a result."""

    edits: list[MadeEdit]
    people: Annotated[int, Field(description="How many there are now.")]
    mentions: int
    misfits: Annotated[list[str], Field(description="Corrections that do not fit the text, in words.")]


class MentionAnswer(BaseModel):
    """A place where a person is mentioned: ``text[start:end]``, counted in Unicode code points."""

    start: int
    end: int
    text: str
    kind: Literal["name", "pronoun", "nominal"]
    probability: float
    corrected: Annotated[bool, Field(description="Whether somebody put it where it is; left out if not.")] = False


class PersonAnswer(BaseModel):
    """A person, with the mentions in text order."""

    id: Annotated[int, Field(description="From 1, in order of first mention.")]
    name: str
    mentions: list[MentionAnswer]
    corrected: Annotated[bool, Field(description="Left out if not.")] = False


class QuotationAnswer(BaseModel):
    """What somebody says, quotation marks included."""

    start: int
    end: int
    parts: Annotated[list[tuple[int, int]], Field(description="Several where it is interrupted.")]
    speaker: Annotated[int | None, Field(description="Id of a person.")]
    addressee: int | None
    found_by: Literal["explicit", "anaphoric", "turn", "implicit", "cue"]
    probability: float
    speaker_mention: Annotated[SpanOffsets | None, Field(description="Where the speaker is mentioned.")]
    addressee_mention: SpanOffsets | None
    corrected: Annotated[bool, Field(description="Left out if not.")] = False


class TrackingAnswer(BaseModel):
    """The people and quotations of a text: what `petra track --json` prints."""

    schema_: Annotated[str, Field(alias="schema", examples=[TRACKING])]
    source: str | None
    model: str
    characters: int
    tokens: int
    people: list[PersonAnswer]
    quotations: list[QuotationAnswer]


class JobAnswer(BaseModel):
    """How far a text is."""

    id: Annotated[str, Field(description="Cannot be guessed: whoever has it can see and remove the result.")]
    state: State
    done: Annotated[int, Field(description="Tokens read, or bytes fetched while the model is loaded.")]
    whole: Annotated[int, Field(description="All of them; 0 while that is not known.")]
    model: str
    kept: bool
    error: Annotated[str | None, Field(description="Why the text could not be read, if that is so.")]


class ModelAnswer(BaseModel):
    """A model on offer."""

    name: str
    encoder: str
    cells: int
    variant: str


class ModelsAnswer(BaseModel):
    """The models on offer, the one used by default first."""

    models: list[ModelAnswer]


class LimitsAnswer(BaseModel):
    """How much the server takes on."""

    max_characters: Annotated[int, Field(description="Of a text; more is answered by 413.")]
    max_seconds: Annotated[float, Field(description="That a text may be read for; more is answered by 503.")]
    max_jobs: Annotated[int, Field(description="Texts read at once.")]
    max_waiting: Annotated[int, Field(description="Texts that wait for their turn; more are answered by 503.")]
    max_jobs_per_client: Annotated[int, Field(description="Read or waiting for one address; more: 429.")]
    max_results_per_client: int
    max_cells: int
    idle_seconds: Annotated[float, Field(description="After which a result nobody looks at is removed.")]
    keep_seconds: Annotated[float, Field(description="After which a kept result is removed.")]


class NamedPerson(BaseModel):
    """A person, by name only."""

    id: int
    name: str


class StepAnswer(BaseModel):
    """One token: what it is, what the memory decided, and who is in each cell after it."""

    start: int
    end: int
    before: Annotated[str, Field(description="The text between the token before and this one.")]
    text: str
    person: Annotated[int | None, Field(description="Who is mentioned here.")]
    mention_prob: Annotated[float, Field(description="e_t")]
    overwrite_prob: Annotated[list[float], Field(description="o_t, a number for each cell.")]
    coref_prob: Annotated[list[float], Field(description="c_t, a number for each cell.")]
    usage: Annotated[list[float], Field(description="u_t, a number for each cell.")]
    written: Annotated[list[bool], Field(description="Of each cell, whether a person was written to it here.")]
    meant: Annotated[list[bool], Field(description="Of each cell, whether the person in it was referred to here.")]
    inside: Annotated[list[int | None], Field(description="Who is in each cell.")]


class StepsAnswer(BaseModel):
    """Some steps of a reading."""

    schema_: Annotated[str, Field(alias="schema", examples=[STEPS])]
    tokens: Annotated[int, Field(description="Of the whole text.")]
    cells: int
    threshold: float
    read_by: Annotated[ReadBy, Field(description="What one decision was on.")]
    first: Annotated[int, Field(description="The number of the first step here, from 0.")]
    mention_before: Annotated[int | None, Field(description="The last token before these that mentions somebody.")]
    mention_after: Annotated[int | None, Field(description="The first token after these that mentions somebody.")]
    people: Annotated[list[NamedPerson], Field(description="Who appears in these steps.")]
    steps: list[StepAnswer]


class SideAnswer(BaseModel):
    """A mention in one of two readings."""

    start: int
    end: int
    text: str
    person: int
    name: str


class DifferenceAnswer(BaseModel):
    """A place where two readings differ."""

    kind: DifferenceKind
    first: SideAnswer | None
    second: SideAnswer | None


class SamePerson(BaseModel):
    """Ids of one person in two readings."""

    first: int
    second: int


class ComparisonAnswer(BaseModel):
    """Two readings of one text beside each other."""

    schema_: Annotated[str, Field(alias="schema", examples=[COMPARISON])]
    models: list[str]
    same_people: list[SamePerson]
    agreeing: Annotated[int, Field(description="Mentions on which both agree.")]
    differences: Annotated[list[DifferenceAnswer], Field(description="In text order.")]


class ErrorAnswer(BaseModel):
    """Why a request is refused and what to do."""

    error: str
