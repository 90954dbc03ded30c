from __future__ import annotations

from collections.abc import Iterator

import pytest
from web_samples import PatientReader

from petra.errors import ConfigError, ModelError
from petra.web.answers import Refusal
from petra.web.reading.jobs import Asked, Job
from petra.web.reading.pool import Pool
from petra.web.serving.limits import Limits

LIMITS = Limits(
    max_characters=100,
    max_seconds=50,
    max_jobs=1,
    max_waiting=2,
    max_jobs_per_client=2,
    max_results_per_client=2,
    max_results=4,
    lost_seconds=10,
    idle_seconds=20,
    keep_seconds=1000,
)


class Scene:
    """A pool with a patient reader and a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.reader = PatientReader()
        self.pool = Pool(lambda name, report: self.reader, LIMITS, clock=lambda: self.now)

    def submit(self, client: str = "anna", *, keep: bool = False, text: str = "x") -> Job:
        return self.pool.submit(Asked(text=text, model="m", keep=keep), client)

    def finished(self, client: str = "anna", *, keep: bool = False) -> Job:
        self.reader.go.set()
        job = self.submit(client, keep=keep)
        wait_for(job)
        return job

    def refusal(self, client: str = "anna", text: str = "x") -> Refusal:
        with pytest.raises(Refusal) as refused:
            self.submit(client, text=text)
        return refused.value

    def holds(self, job: Job) -> bool:
        return job.id in self.pool._jobs


@pytest.fixture
def scene() -> Iterator[Scene]:
    scene = Scene()
    yield scene
    scene.pool.close()
    scene.reader.go.set()
    scene.pool._threads.shutdown(wait=True)


def wait_for(job: Job) -> None:
    import time

    while not job.ended:
        time.sleep(0.002)


def test_a_text_is_read(scene: Scene) -> None:
    job = scene.submit()
    scene.reader.began.acquire()
    assert not job.ended
    scene.reader.go.set()
    wait_for(job)
    assert job.result is not None
    assert (job.progress.state, job.progress.done, job.progress.whole) == ("done", 2, 2)


def test_ids_cannot_be_guessed(scene: Scene) -> None:
    ids = {Job(Asked(text="x", model="m"), "anna", 0).id for _ in range(100)}
    assert len(ids) == 100
    assert min(map(len, ids)) >= 22  # 128 bits


def test_a_text_that_is_too_long_is_refused(scene: Scene) -> None:
    refused = scene.refusal(text="x" * 101)
    assert refused.status_code == 413
    assert "101 characters; this server reads up to 100" in refused.detail


def test_a_client_has_its_share(scene: Scene) -> None:
    scene.submit(), scene.submit()
    refused = scene.refusal()
    assert refused.status_code == 429
    assert refused.headers == {"Retry-After": "5"}
    scene.submit("bert")  # another client still has room


def test_a_full_server_refuses_everybody(scene: Scene) -> None:
    scene.submit("anna"), scene.submit("anna"), scene.submit("bert")
    refused = scene.refusal("carl")
    assert refused.status_code == 503
    assert refused.headers == {"Retry-After": "5"}


def test_what_ends_makes_room(scene: Scene) -> None:
    first, second = scene.submit(), scene.submit()
    scene.reader.go.set()
    wait_for(first)
    wait_for(second)
    scene.submit()


def test_reading_that_takes_too_long_ends(scene: Scene) -> None:
    job = scene.submit(keep=True)
    scene.reader.began.acquire()
    scene.now = 51
    scene.pool.sweep()
    assert job.failure is not None
    assert job.failure.status == 503
    assert "took longer than the 50 seconds" in job.failure.message
    scene.reader.left.acquire()  # the thread stops too


def test_waiting_that_takes_too_long_ends(scene: Scene) -> None:
    scene.submit(keep=True)
    scene.reader.began.acquire()
    waiting = scene.submit(keep=True)
    scene.now = 51
    scene.pool.sweep()
    assert waiting.failure is not None
    assert "waited 50 seconds" in waiting.failure.message


def test_what_nobody_waits_for_is_given_up(scene: Scene) -> None:
    job = scene.submit()
    scene.reader.began.acquire()
    scene.now = 9
    scene.pool.find(job.id)
    scene.now = 18
    scene.pool.sweep()
    assert scene.holds(job)
    scene.now = 29
    scene.pool.sweep()
    assert not scene.holds(job)
    scene.reader.left.acquire()


def test_a_result_goes_when_nobody_looks(scene: Scene) -> None:
    job = scene.finished()
    scene.now = 19
    scene.pool.find(job.id)
    scene.now = 38
    scene.pool.sweep()
    assert scene.holds(job)
    scene.now = 60
    scene.pool.sweep()
    with pytest.raises(Refusal) as gone:
        scene.pool.find(job.id)
    assert gone.value.status_code == 404


def test_a_result_to_be_kept_stays_its_time(scene: Scene) -> None:
    job = scene.finished(keep=True)
    scene.now = 999
    scene.pool.sweep()
    scene.pool.find(job.id)
    scene.now = 1001
    scene.pool.sweep()
    assert not scene.holds(job)


def test_old_results_of_a_client_give_way_to_its_own_new_ones(scene: Scene) -> None:
    foreign = scene.finished("bert")
    first = scene.finished()
    scene.now = 1
    second, third = scene.finished(), scene.finished()
    assert [scene.holds(job) for job in (foreign, first, second, third)] == [True, False, True, True]


def test_kept_results_do_not_give_way(scene: Scene) -> None:
    scene.finished(keep=True), scene.finished(keep=True)
    assert scene.refusal().status_code == 429


def test_a_server_holds_so_many_results(scene: Scene) -> None:
    for client in ("anna", "bert", "carl", "dora"):
        scene.finished(client)
    assert scene.refusal("emil").status_code == 503


def test_removed_while_it_is_read(scene: Scene) -> None:
    job = scene.submit()
    scene.reader.began.acquire()
    scene.pool.remove(job.id)
    scene.reader.left.acquire()
    assert job.failure is not None
    assert not scene.holds(job)
    scene.pool.remove(job.id)  # again: nothing happens


def test_the_text_goes_with_the_end(scene: Scene) -> None:
    job = scene.submit(text="secret")
    scene.pool.remove(job.id)
    assert "secret" not in repr(vars(job))


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (ConfigError("Too many cells."), 422, "Too many cells."),
        (ModelError("No encoder."), 503, "No encoder."),
        (MemoryError(), 503, "too little memory"),
    ],
)
def test_one_bad_text_harms_no_other(scene: Scene, error: Exception, status: int, words: str) -> None:
    scene.reader.error = error
    bad = scene.finished()
    assert bad.failure is not None
    assert bad.failure.status == status
    assert words in bad.failure.message
    scene.reader.error = None
    assert scene.finished().result is not None


def test_a_fault_of_ours_is_told_without_its_details(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    scene.reader.error = ZeroDivisionError("the secret")
    bad = scene.finished()
    assert bad.failure is not None
    assert bad.failure.status == 500
    assert "secret" not in bad.failure.message
    assert "ZeroDivisionError" in caplog.text


def test_limits_are_more_than_nothing() -> None:
    with pytest.raises(ConfigError, match="max_jobs is 0"):
        Limits(max_jobs=0)


@pytest.mark.parametrize(
    ("longest", "held"), [(1_000, 20_000), (1_000_000, 20_000_000), (4_000_000, 20_000_000), (8_000_000, 40_000_000)]
)
def test_longer_texts_are_fewer(longest: int, held: int) -> None:
    assert Limits(max_characters=longest).max_held_characters == held
