from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from tiny import tiny_bert, tiny_mpnet
from torch.testing import assert_close
from transformers import AutoModel, BertConfig, BertForMaskedLM, T5Config, T5Model
from transformers.utils import logging

from petra.config import AdapterConfig, EncoderConfig
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import ConfigError, ModelError
from petra.text.windows import windows

TEXT = "Amelia met Paul. He told her that the king was his friend, and she saw the house of Lena Brook. " * 3


@pytest.fixture(params=["bert", "mpnet"], scope="module")
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    make = {"bert": tiny_bert, "mpnet": tiny_mpnet}[request.param]
    return make(tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def encoder(folder: Path) -> PretrainedEncoder:
    return load(folder)


def load(folder: Path, *, layers: tuple[int, ...] = (1, 2), window: int = 20, margin: int = 4) -> PretrainedEncoder:
    return PretrainedEncoder.load(EncoderConfig(name=str(folder), layers=layers, window=window, margin=margin))


@torch.inference_mode()
def plain_features(folder: Path, encoder: PretrainedEncoder, token_ids: list[int]) -> torch.Tensor:
    """The features of one window, straight from transformers with all its layers."""
    logging.disable_progress_bar()
    model = AutoModel.from_pretrained(folder).eval()
    framed = [*encoder.tokenizer.prefix, *token_ids, *encoder.tokenizer.suffix]
    states = model(torch.tensor([framed]), output_hidden_states=True).hidden_states
    return torch.cat([states[layer][0, 1:-1] for layer in encoder.config.layers], dim=-1)


def test_features_are_the_chosen_layers_side_by_side(folder: Path) -> None:
    for layers in [(1, 2), (3,), (0, 3), (0,)]:
        encoder = load(folder, layers=layers)
        document = encoder.tokenizer.tokenize("Amelia met Paul.")
        (features,) = encoder.encode(document)
        assert features.shape == (4, 16 * len(layers)) == (len(document), encoder.size)
        assert_close(features, plain_features(folder, encoder, document.token_ids.tolist()), atol=1e-5, rtol=0)


def test_a_long_text_is_encoded_window_by_window(folder: Path, encoder: PretrainedEncoder) -> None:
    document = encoder.tokenizer.tokenize(TEXT)
    expected = [
        plain_features(folder, encoder, document.token_ids[window.start : window.end].tolist())[
            window.keep_start - window.start : window.keep_end - window.start
        ]
        for window in windows(len(document), 20, 4)
    ]
    assert len(expected) > 3
    assert_close(torch.cat(list(encoder.encode(document))), torch.cat(expected), atol=1e-5, rtol=0)


@given(
    lengths=st.lists(st.integers(0, 60), max_size=8),
    batch_tokens=st.integers(1, 100),
)
def test_many_documents_are_encoded_as_each_alone(
    encoder: PretrainedEncoder, lengths: list[int], batch_tokens: int
) -> None:
    documents = [encoder.tokenizer.tokenize(" ".join(TEXT.split()[:length])) for length in lengths]
    together = list(encoder.encode_many(documents, batch_tokens=batch_tokens))
    assert [len(features) for features in together] == [len(document) for document in documents]
    for document, features in zip(documents, together, strict=True):
        alone = torch.cat([torch.zeros(0, encoder.size), *encoder.encode(document)])
        assert_close(features, alone, atol=1e-5, rtol=0)


@pytest.mark.parametrize("batch_tokens", [10, 100, 10_000])
def test_documents_encoded_while_others_are_read_are_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch, batch_tokens: int
) -> None:
    encoder = load(folder)
    documents = [encoder.tokenizer.tokenize(" ".join(TEXT.split()[:length])) for length in (5, 0, 30, 2, 5, 60)]
    expected = list(encoder.encode_many(documents, batch_tokens=batch_tokens))
    monkeypatch.setattr(encoder.backend, "overlaps", True)
    found = list(encoder.encode_many(documents, batch_tokens=batch_tokens))
    assert [len(features) for features in found] == [len(document) for document in documents]
    for ours, theirs in zip(found, expected, strict=True):
        assert torch.equal(ours, theirs)


def test_an_empty_document_has_no_features(encoder: PretrainedEncoder) -> None:
    empty = encoder.tokenizer.tokenize(" ")
    assert list(encoder.encode(empty)) == []
    assert [features.shape for features in encoder.encode_many([empty])] == [(0, encoder.size)]


def test_loading_says_nothing_and_leaves_transformers_as_it_was(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    logging.enable_progress_bar()
    before = logging.get_verbosity()
    load(folder)
    assert capfd.readouterr() == ("", "")
    assert logging.get_verbosity() == before
    assert logging.is_progress_bar_enabled()


def test_a_model_with_a_head_and_no_pooler_will_do(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = tiny_bert(tmp_path)
    BertForMaskedLM(BertConfig.from_pretrained(folder)).save_pretrained(folder)
    capfd.readouterr()
    encoder = load(folder)
    document = encoder.tokenizer.tokenize("Amelia met Paul.")
    assert capfd.readouterr() == ("", "")
    (features,) = encoder.encode(document)
    assert_close(features, plain_features(folder, encoder, document.token_ids.tolist()), atol=1e-5, rtol=0)


def test_a_model_that_also_decodes_is_refused(tmp_path: Path) -> None:
    folder = tiny_bert(tmp_path)
    T5Model(T5Config(vocab_size=99, d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2)).save_pretrained(folder)
    with pytest.raises(ModelError, match="has a decoder as well"):
        load(folder)


def test_the_encoder_is_frozen_and_as_short_as_need_be(folder: Path) -> None:
    model = load(folder, layers=(1, 2)).model
    assert len(model.encoder.layer) == 2
    assert not model.training
    assert not any(parameter.requires_grad for parameter in model.parameters())


def test_the_fingerprint_tells_encoders_apart(folder: Path, tmp_path: Path) -> None:
    encoder = load(folder)
    copy = shutil.copytree(folder, tmp_path / "copy")
    assert load(copy).fingerprint == encoder.fingerprint
    assert load(folder, layers=(2, 1)).fingerprint != encoder.fingerprint
    assert load(folder, margin=3).fingerprint != encoder.fingerprint
    weights = load_file(copy / "model.safetensors")
    weights["embeddings.LayerNorm.bias"] += 1
    save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    assert load(copy).fingerprint != encoder.fingerprint


def test_a_layer_the_encoder_lacks_is_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"layer 4, but the encoder .* has 3"):
        load(folder, layers=(2, 4))


def test_a_window_larger_than_the_encoders_positions_is_refused(folder: Path) -> None:
    # 64 positions of BERT and 66 of MPNet, which never uses the first two; two are for special tokens.
    assert load(folder, window=62).config.window == 62
    with pytest.raises(ConfigError, match=r"encoder\.window is 63.* at most 62 tokens"):
        load(folder, window=63)


def test_the_largest_window_can_be_encoded_beside_a_short_one(folder: Path) -> None:
    encoder = load(folder, window=62)
    documents = [encoder.tokenizer.tokenize(text) for text in (TEXT, "he")]
    assert [len(features) for features in encoder.encode_many(documents)] == [len(documents[0]), 1]


def test_damaged_weights_are_refused(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    whole = (copy / "model.safetensors").read_bytes()
    (copy / "model.safetensors").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelError, match="cannot be loaded"):
        load(copy)
    (copy / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"cannot be loaded: .*safetensors"):
        load(copy)


def test_missing_weights_are_not_made_up(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    weights = load_file(copy / "model.safetensors")
    del weights["encoder.layer.1.output.dense.weight"]
    save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError, match=r"incomplete: 1 tensors .* encoder\.layer\.1\.output\.dense\.weight"):
        load(copy)


def test_weights_that_could_run_code_are_not_read(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    torch.save(load_file(copy / "model.safetensors"), copy / "pytorch_model.bin")
    (copy / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="cannot be loaded"):
        load(copy)


@pytest.mark.parametrize("device", ["cuda:99", "abacus"])
def test_a_device_that_is_not_there_is_refused(folder: Path, device: str) -> None:
    with pytest.raises(ConfigError, match=f"{device} cannot be used"):
        PretrainedEncoder.load(EncoderConfig(name=str(folder), layers=(1,), window=20, margin=4), device=device)


@torch.no_grad()
def test_texts_encoded_together_have_the_features_of_each(encoder: PretrainedEncoder) -> None:
    # Of one token, of one window, of several windows, of lengths that are padded apart, and the first once more.
    texts = [encoder.tokenizer.tokenize(TEXT[:end]).token_ids for end in (6, 90, len(TEXT), 40, 6)]
    texts.append(encoder.tokenizer.tokenize(TEXT * 3).token_ids)
    alone = [features for text in texts for features in encoder.encode_windows(list(encoder.split(text)))]
    assert_close(encoder.encode_together(texts), torch.cat(alone), atol=1e-5, rtol=0)


def test_texts_encoded_together_teach_an_adapter_the_same(folder: Path) -> None:
    encoder = load(folder)
    encoder.make_trainable(AdapterConfig(rank=2, dropout=0.0), seed=1)
    encoder.model.eval()
    adapter = [parameter for parameter in encoder.model.parameters() if parameter.requires_grad]
    with torch.no_grad():
        for parameter in adapter:
            parameter.normal_(std=0.3, generator=torch.Generator().manual_seed(0))
    text = encoder.tokenizer.tokenize(TEXT).token_ids
    target = torch.randn(len(text), encoder.size, generator=torch.Generator().manual_seed(0))
    together = (target * encoder.encode_together([text])).sum()
    alone = (target * torch.cat(encoder.encode_windows(list(encoder.split(text))))).sum()
    for ours, theirs in zip(torch.autograd.grad(together, adapter), torch.autograd.grad(alone, adapter), strict=True):
        assert_close(ours, theirs, atol=1e-3 * float(theirs.abs().max()), rtol=0)
