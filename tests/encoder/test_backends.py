"""Every back end gives the features of PyTorch in float32, up to its precision."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import torch
from tiny import tiny_bert, tiny_mpnet

from petra.config import AdapterConfig, BackendName, EncoderConfig
from petra.encoder.adapter import Adapter, adapted_layers
from petra.encoder.backends.choosing import choose_backend, cpu_has_bf16, cpu_has_int8, usable_backends
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import ConfigError, PetraError

CPU = torch.device("cpu")
TEXT = "Amelia met Paul. He told her that the king was his friend, and she saw the house of Lena Brook. " * 3
TEXTS = [TEXT, "She saw him.", "", "Xe met Paul.", TEXT[40:200]]
# Cosine of a token's features with those of float32, on average; bfloat16 has three digits.
EXACT, ROUNDED = 0.999999, 0.99
BACKENDS: dict[BackendName, tuple[str | None, float]] = {
    "torch-bf16": (None, ROUNDED),
    "openvino": ("openvino", EXACT),
    "openvino-bf16": ("openvino", ROUNDED),
    "openvino-int8": ("openvino", ROUNDED),
    "onnx": ("onnxruntime", EXACT),
}


@pytest.fixture(params=["bert", "mpnet"], scope="module")
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    make = {"bert": tiny_bert, "mpnet": tiny_mpnet}[request.param]
    return make(tmp_path_factory.mktemp(request.param))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PETRA_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def adapter(folder: Path) -> Adapter:
    """An adapter that changes every layer plainly, with pronouns read alike."""
    model = load(folder).model
    drawn = torch.Generator().manual_seed(1)
    shapes = {name: model.get_submodule(name).weight.shape for name in adapted_layers(model)}
    weights = {
        f"{name}.{factor}": torch.randn(shape, generator=drawn)
        for name, (outputs, inputs) in shapes.items()
        for factor, shape in (("a", (2, inputs)), ("b", (outputs, 2)))
    }
    return Adapter(AdapterConfig(rank=2, alpha=0.5, neutral_pronouns=True), weights)


def load(folder: Path, backend: BackendName = "torch", adapter: Adapter | None = None) -> PretrainedEncoder:
    config = EncoderConfig(name=str(folder), layers=(1, 3), window=20, margin=4)
    return PretrainedEncoder.load(config, adapter=adapter, backend=backend)


def need(backend: BackendName) -> None:
    package, _ = BACKENDS[backend]
    if package is not None and find_spec(package) is None:
        pytest.skip(f"needs {package}")
    if backend.endswith("bf16") and not cpu_has_bf16():
        pytest.skip("needs a CPU that computes in bfloat16")
    if backend.endswith("int8") and not cpu_has_int8():
        pytest.skip("needs a CPU that computes in int8")


def features(encoder: PretrainedEncoder) -> torch.Tensor:
    return torch.cat(list(encoder.encode_many(encoder.tokenizer.tokenize(text) for text in TEXTS)))


@pytest.mark.parametrize("backend", BACKENDS)
def test_features_are_those_of_pytorch(folder: Path, adapter: Adapter, backend: BackendName) -> None:
    need(backend)
    plain, adapted = features(load(folder)), features(load(folder, adapter=adapter))
    assert torch.cosine_similarity(plain, adapted).min() < 0.9  # else nothing is shown of the adapter
    encoder = load(folder, backend, adapter)
    found = features(encoder)
    assert (encoder.backend.name, found.dtype, encoder.size) == (backend, torch.float32, 32)
    assert torch.cosine_similarity(found, adapted).mean() > BACKENDS[backend][1]
    assert torch.cosine_similarity(features(load(folder, backend)), plain).mean() > BACKENDS[backend][1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_features_do_not_depend_on_what_is_encoded_together(folder: Path, backend: BackendName) -> None:
    need(backend)
    encoder = load(folder, backend)
    documents = [encoder.tokenizer.tokenize(text) for text in TEXTS if text]
    for document, together in zip(documents, encoder.encode_many(documents), strict=True):
        torch.testing.assert_close(torch.cat(list(encoder.encode(document))), together, atol=1e-5, rtol=0)


@pytest.mark.parametrize("backend", ["openvino", "onnx"])
def test_an_export_is_made_once_for_each_encoder(
    folder: Path, adapter: Adapter, home: Path, backend: BackendName, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(backend)
    exports = home / "exports"
    for _ in range(2):
        load(folder, backend)
        assert len([path for path in exports.iterdir() if not path.name.startswith(".")]) == 1
    expected = features(load(folder, backend))
    load(folder, backend, adapter)
    assert len([path for path in exports.iterdir() if not path.name.startswith(".")]) == 2
    monkeypatch.setattr("petra.encoder.pretrained.load_model", None)  # the weights are not read again
    torch.testing.assert_close(features(load(folder, backend)), expected)


@pytest.mark.parametrize("backend", ["openvino", "onnx"])
def test_a_failed_export_leaves_nothing(
    folder: Path, home: Path, backend: BackendName, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(backend)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(f"petra.encoder.backends.{backend}._export", full)
        with pytest.raises(PetraError, match="No space left on device"):
            load(folder, backend)
    assert not [path for path in (home / "exports").iterdir() if path.is_dir()]
    assert len(features(load(folder, backend)))


@pytest.mark.parametrize("damage", ["changed", "no record"])
@pytest.mark.parametrize("backend", ["openvino", "onnx"])
def test_a_damaged_export_is_made_anew(folder: Path, home: Path, backend: BackendName, damage: str) -> None:
    need(backend)
    expected = features(load(folder, backend))
    (export,) = (path for path in (home / "exports").iterdir() if not path.name.startswith("."))
    largest = max((path for path in export.iterdir()), key=lambda path: path.stat().st_size)
    content = largest.read_bytes()
    if damage == "changed":
        largest.write_bytes(content[:-400] + bytes(400))
    else:
        (export / "export.json").write_text("[")
    torch.testing.assert_close(features(load(folder, backend)), expected)


@pytest.mark.parametrize("backend", ["openvino", "onnx"])
def test_the_digests_of_an_export_are_compared_once(
    folder: Path, backend: BackendName, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(backend)
    load(folder, backend)
    load(folder, backend)
    monkeypatch.setattr("petra.encoder.backends.exported.sha256_of", None)
    load(folder, backend)


@pytest.mark.parametrize("backend", ["openvino", "onnx"])
def test_only_pytorch_can_be_trained(folder: Path, backend: BackendName) -> None:
    need(backend)
    with pytest.raises(ConfigError, match="back end torch"):
        load(folder, backend).make_trainable(AdapterConfig(rank=2), seed=0)


def test_auto_takes_the_fastest_that_is_safe_and_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = {"openvino", "onnxruntime"}
    monkeypatch.setattr("petra.encoder.backends.choosing.find_spec", lambda name: name if name in installed else None)
    monkeypatch.setattr("petra.encoder.backends.choosing.cpu_has_bf16", lambda: True)
    monkeypatch.setattr("petra.encoder.backends.choosing.cpu_has_int8", lambda: True)
    every = get_args(BackendName)
    assert choose_backend("auto", every, CPU) == "openvino-bf16"
    assert choose_backend("auto", ("openvino", "torch"), CPU) == "openvino"
    assert choose_backend("auto", (), CPU) == "torch"
    assert choose_backend("auto", every, torch.device("cuda")) == "torch"
    assert choose_backend("onnx", (), CPU) == "onnx"  # asked for by name it need not be recorded
    monkeypatch.setattr("petra.encoder.backends.choosing.cpu_has_bf16", lambda: False)
    assert choose_backend("auto", every, CPU) == "openvino-int8"
    monkeypatch.setattr("petra.encoder.backends.choosing.cpu_has_int8", lambda: False)
    assert choose_backend("auto", every, CPU) == "openvino"
    with pytest.raises(ConfigError, match=r"this CPU does not\. Choose openvino\."):
        choose_backend("openvino-int8", every, CPU)
    installed.clear()
    assert choose_backend("auto", every, CPU) == "torch"
    assert usable_backends(CPU) == ("torch",)
    with pytest.raises(ConfigError, match=r"pip install 'petra\[openvino\]'"):
        choose_backend("openvino-bf16", every, CPU)
    with pytest.raises(ConfigError, match=r"this CPU does not\. Choose torch"):
        choose_backend("torch-bf16", every, CPU)
    with pytest.raises(ConfigError, match="computes on the CPU"):
        choose_backend("onnx", every, torch.device("cuda"))
    with pytest.raises(ConfigError, match="No back end named 'abacus'"):
        choose_backend("abacus", every, CPU)


# Python 3.12 warns of every fork beside threads.
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
@pytest.mark.parametrize("backend", ["torch", *BACKENDS])
def test_a_forked_process_can_encode(folder: Path, backend: BackendName) -> None:
    if backend != "torch":
        need(backend)
    encoder = load(folder, backend)
    expected = features(encoder)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, b"same" if torch.allclose(features(encoder), expected, atol=1e-4) else b"other")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 5) == b"same"


def test_weights_in_int8_have_a_scale_for_each_group() -> None:
    pytest.importorskip("openvino")
    from petra.encoder.backends.openvino import GROUP, int8_weights

    # One row of two groups: the largest of each becomes 127, 0.5 of the second a quarter of it, 31.75.
    weights = np.zeros((1, 2 * GROUP), dtype=np.float32)
    weights[0, 0], weights[0, GROUP], weights[0, GROUP + 1] = -1.27, 2.0, 0.5
    rounded, scale = int8_weights(weights)
    np.testing.assert_allclose(scale[0, :, 0], [0.01, 2 / 127], rtol=1e-6)
    assert (rounded[0, 0, 0], rounded[0, 1, 0], rounded[0, 1, 1]) == (-127, 127, 32)
    assert np.count_nonzero(rounded) == 3


def test_products_in_int8_are_close_to_those_in_float32() -> None:
    openvino = pytest.importorskip("openvino")
    from openvino import opset13

    from petra.encoder.backends.openvino import GROUP, round_weights

    drawn = np.random.default_rng(0)
    shapes = (3 * GROUP, 2 * GROUP), (20, 3 * GROUP), (4, 20)  # rows of 20 are no whole groups
    weights = [(drawn.normal(size=shape) / np.sqrt(shape[1])).astype(np.float32) for shape in shapes]
    given = drawn.normal(size=(5, 2 * GROUP)).astype(np.float32)
    expected, layer = given, opset13.parameter([-1, 2 * GROUP], np.float32)
    inputs = [layer]
    for weight in weights:
        expected, layer = np.tanh(expected @ weight.T), opset13.tanh(opset13.matmul(layer, weight, False, True))
    graph = openvino.Model([layer], inputs)
    assert round_weights(graph) == 2
    settings = {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": str(GROUP)}
    found = openvino.Core().compile_model(graph, "CPU", settings)([given])[0]
    np.testing.assert_allclose(found, expected, atol=0.02)


def test_openvino_sends_no_statistics() -> None:
    pytest.importorskip("openvino")
    script = (
        "from petra.encoder.backends.openvino import _openvino; _openvino();"
        "from openvino.tools.ovc import convert_impl; print(convert_impl.tm.__name__)"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "openvino.tools.ovc.telemetry_stub"
