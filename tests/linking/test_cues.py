from __future__ import annotations

from petra.english.names import Name, Relation, parse_name
from petra.english.quotations import Turn, Utterance
from petra.linking.cues import Cues, read_cues
from petra.linking.profile import Profile


def test_the_cues_of_a_name() -> None:
    assert read_cues("Miss Bennet", "name") == Cues(
        kind="name", name=Name(("bennet",), title="miss"), gender="feminine", number="one"
    )
    assert read_cues("Mr. and Mrs. Bennet", "name").number == "many"
    assert read_cues("Mr. and Mrs. Bennet", "name").gender is None
    assert read_cues("Miss Ben-\nnet", "name") == read_cues("Miss Bennet", "name")


def test_a_name_tells_a_gender_by_the_model_and_by_its_letters() -> None:
    def told(text: str, by_model: float | None = None) -> float:
        return read_cues(text, "name", feminine_log_odds=by_model).name_gender

    assert told("Ingrid Berg") > 2 > 0 > -2 > told("Matteo Berg")
    assert told("Ingrid Berg") == 3.5  # never surer
    # By the letters alone, then with the model against them.
    assert told("Matteo Berg", -1.0) < 0 < told("Matteo Berg", 2.0)


def test_titles_and_groups_have_no_gender_by_degrees() -> None:
    for text, gender in [("Mr. Bello", "masculine"), ("Mr. and Mrs. Bello", None), ("Professor Baek", None)]:
        cues = read_cues(text, "name", feminine_log_odds=3.0)
        assert (cues.gender, cues.name_gender) == (gender, 0.0)
    nurse = read_cues("the nurse", "nominal", feminine_log_odds=3.0)
    assert (nurse.gender, nurse.name_gender) == (None, 0.0)


def test_the_cues_of_a_nominal_are_those_of_its_head() -> None:
    assert read_cues("her grand-\nmother", "nominal") == read_cues("her grandmother", "nominal")
    assert read_cues("his mother", "nominal") == Cues(kind="nominal", gender="feminine", head="mother")
    assert read_cues("the  old\nman with a wife", "nominal") == Cues(
        kind="nominal", gender="masculine", number="one", head="man", phrase="the old man with a wife"
    )
    assert read_cues("An artist", "nominal") == Cues(kind="nominal", head="artist", is_indefinite=True)
    assert read_cues("Tom and his mother", "nominal") == Cues(kind="nominal", number="many", head="and")


def test_the_cues_of_a_pronoun() -> None:
    assert read_cues("He", "pronoun") == Cues(kind="pronoun", gender="masculine", number="one", pronoun_set="he")
    assert read_cues("my", "pronoun") == Cues(kind="pronoun", number="one", speech="speaker", is_narrator=True)
    assert read_cues("You", "pronoun") == Cues(kind="pronoun", speech="addressee")
    assert read_cues("who", "pronoun") == Cues(kind="pronoun")


def test_a_bare_relation_is_used_like_a_name() -> None:
    assert read_cues("Papa", "nominal").kin == "papa"
    assert read_cues("his papa", "nominal").kin is None
    assert read_cues("friend", "nominal").kin is None


def test_nobody_is_indefinite() -> None:
    assert [read_cues(words, "nominal").is_indefinite for words in ("nobody", "Everyone", "no one")] == [True] * 3


def test_i_and_you_in_a_quotation() -> None:
    quotation = Utterance(Turn(7, 0))
    assert read_cues("my", "pronoun", quotation) == Cues(
        kind="pronoun", number="one", speech="speaker", turn=Turn(7, 0), speaking_turn=Turn(7, 0)
    )
    assert read_cues("you", "pronoun", quotation).speaking_turn == Turn(7, 1)
    assert read_cues("he", "pronoun", quotation).speaking_turn is None
    assert read_cues("Jane", "name", quotation).speaking_turn is None
    assert read_cues("Jane", "name", quotation, is_addressed=True).speaking_turn == Turn(7, 1)
    assert read_cues("Jane", "name", attributed=Turn(7, 0)).speaking_turn == Turn(7, 0)


def test_whoever_says_i_goes_by_what_the_text_calls_the_speaker() -> None:
    def me(speaker: str) -> Cues:
        return read_cues("me", "pronoun", Utterance(Turn(7, 0), speaker))

    assert me("Mrs. Orr") == Cues(
        kind="pronoun",
        name=Name(("orr",), title="mrs"),
        gender="feminine",
        number="one",
        speech="speaker",
        turn=Turn(7, 0),
        speaking_turn=Turn(7, 0),
    )
    assert me("he").gender == "masculine"
    assert me("the old man").phrase == "the old man"
    assert me("I").is_narrator
    assert not me("he").is_narrator


def profile(*mentions: Cues) -> Profile:
    person = Profile()
    for cues in mentions:
        person = person.after(cues)
    return person


def test_a_profile_counts_what_mentions_say() -> None:
    person = profile(
        read_cues("Mr. Darcy", "name"),
        read_cues("he", "pronoun"),
        read_cues("Darcy", "name"),
        read_cues("Mr. Darcy", "name"),
        read_cues("the guest", "nominal"),
    )
    assert person == Profile(
        mentions=5,
        pronouns=(("he", 1),),
        names=((Name(("darcy",), title="mr"), 2), (Name(("darcy",)), 1)),
        masculine=2,  # Mr., twice
        name_gender=person.name_gender,
        one=4,
        third_person=5,
        heads=("guest",),
        phrases=("the guest",),
    )
    assert person.uses(parse_name("Darcy")) == 3
    assert person.uses(parse_name("Fitzwilliam Darcy")) == 0


def test_a_profile_counts_who_tells_and_who_is_told_of() -> None:
    i, she, we = (read_cues(word, "pronoun") for word in ("I", "she", "we"))
    quoted = read_cues("I", "pronoun", Utterance(Turn(1, 0), "I"))
    counted = profile(i, i, she, we, quoted)
    assert (counted.first_person, counted.third_person) == (2, 1)


def test_relatives_are_known_by_nominal_and_name() -> None:
    person = profile(read_cues("mother", "nominal"), read_cues("Papa", "name"))
    assert [person.is_kin(kin) for kin in ("mother", "papa", "mamma")] == [True, True, False]


def test_a_profile_stays_small() -> None:
    names = [read_cues(f"Jane {chr(65 + turn % 26)}{turn}", "name") for turn in range(100)]
    phrases = [read_cues(f"the guest {turn}", "nominal") for turn in range(100)]
    person = profile(read_cues("Jane", "name"), read_cues("Jane", "name"), *names, *phrases)
    assert len(person.names) == 12
    assert person.names[0] == (Name(("jane",)), 2)  # the most used stays
    assert person.names[-1][0].words == ("jane", "v99")  # and the latest
    assert person.phrases == ("the guest 96", "the guest 97", "the guest 98", "the guest 99")


def test_the_name_that_says_most_counts() -> None:
    person = profile(read_cues("Miss Bennet", "name"), read_cues("Jane Bennet", "name"))
    assert person.relation(parse_name("Jane")) is Relation.SHORTER
    # Fuller than "Miss Bennet", but not with "Jane Bennet" beside it.
    assert person.relation(parse_name("Mary Bennet")) is Relation.CLASH
    assert Profile().relation(parse_name("Jane")) is None


def test_a_name_used_once_among_many_says_nothing() -> None:
    often = [read_cues("Lydia", "name")] * 30
    assert profile(*often, read_cues("Lydia Wickham", "name")).relation(parse_name("Lydia Bennet")) is Relation.LONGER
    wed = profile(*often, *[read_cues("Lydia Wickham", "name")] * 2)
    assert wed.relation(parse_name("Lydia Bennet")) is Relation.CLASH
