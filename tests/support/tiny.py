"""Tiny encoders and models with random weights and real tokenizers, made in a moment."""

from __future__ import annotations

from pathlib import Path

import tokenizers
import torch
from tokenizers import models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

from petra.config import (
    AdapterConfig,
    EncoderConfig,
    MemoryConfig,
    RunConfig,
    SpanConfig,
    SupervisionConfig,
    TrainingConfig,
    Variant,
)
from petra.memory.network import Network
from petra.memory.referential.network import ReferentialReader
from petra.mentions.span_head import PREFIX, SpanHead
from petra.trained import TrainedModel, save_trained

WORDS = ["the", "and", "was", "his", "her", "he", "she", "it", "they", "him", "who", "said", "met", "saw", "told", "is"]
NAMES = ["amelia", "shepherd", "paul", "lena", "brook", "doctor", "sister", "friend", "mother", "king", "house"]
_HIDDEN_SIZE = 16
# Of an adapted model that drops nothing; the encoder is still to be named.
TINY_RECIPE = RunConfig(
    name="tiny",
    seeds=(1,),
    memory=MemoryConfig(num_cells=3, hidden_size=12, mlp_size=10),
    training=TrainingConfig(max_epochs=1, batch_size=4, dropout=0.0),
    adapter=AdapterConfig(rank=2, dropout=0.0),
    spans=SpanConfig(max_width=6, size=8),
    supervision=SupervisionConfig(),
)
CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,;:!?'\"()-"


def tiny_bert(folder: Path, *, num_layers: int = 3, hidden_size: int = _HIDDEN_SIZE, positions: int = 64) -> Path:
    """A folder with a seeded random BERT and an uncased WordPiece tokenizer."""
    vocabulary = _vocabulary(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer = _word_pieces(vocabulary, "[UNK]")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(name, vocabulary[name]) for name in ("[CLS]", "[SEP]")]
    )
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=hidden_size,
        num_hidden_layers=num_layers,
        num_attention_heads=2,
        intermediate_size=2 * hidden_size,
        max_position_embeddings=positions,
        initializer_range=0.5,  # large enough that every token and layer differs plainly
    )
    return _save(folder, tokenizer, BertModel, config)


def tiny_mpnet(folder: Path, *, num_layers: int = 3, hidden_size: int = _HIDDEN_SIZE, positions: int = 66) -> Path:
    """A folder with a seeded random MPNet, whose position numbers begin at 2."""
    vocabulary = _vocabulary(["<s>", "<pad>", "</s>", "[UNK]", "<mask>"])
    tokenizer = _word_pieces(vocabulary, "[UNK]")
    ends = [(name, vocabulary[name]) for name in ("</s>", "<s>")]
    tokenizer.post_processor = processors.RobertaProcessing(*ends, trim_offsets=True, add_prefix_space=False)
    config = MPNetConfig(
        vocab_size=len(vocabulary),
        hidden_size=hidden_size,
        num_hidden_layers=num_layers,
        num_attention_heads=2,
        intermediate_size=2 * hidden_size,
        max_position_embeddings=positions,
        pad_token_id=vocabulary["<pad>"],
        initializer_range=0.5,
    )
    return _save(folder, tokenizer, MPNetModel, config)


def tiny_model(folder: Path, encoder: Path, *, variant: Variant = "vanilla") -> Path:
    """A folder with a seeded random model over an encoder, which finds people here and there.

    Texts of more than 20 tokens are read in several windows.
    """
    config = RunConfig(
        name="tiny",
        seeds=(26,),
        encoder=EncoderConfig(name=str(encoder), layers=(2, 3), window=20, margin=4),
        memory=MemoryConfig(num_cells=4, hidden_size=12, mlp_size=10, key_size=3, variant=variant),
    )
    network = Network(config.memory, 2 * _HIDDEN_SIZE, seeds=config.seeds)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(3)
        # Chosen so that some tokens are mentions, and some of these of people known already.
        network.mention_out.mul_(10)
        network.mention_out_bias.fill_(-10)
        network.similarity_out.mul_(6)
        network.similarity_out_bias.fill_(6)
    weights = dict(network.named_parameters())
    save_trained(folder, TrainedModel(name="tiny", config=config, record={"threshold": 0.25}, weights=weights))
    return folder


def tiny_span_model(folder: Path, encoder: Path) -> Path:
    """The folder of a seeded random model with a span head, which takes a good part of the spans for mentions."""
    config = RunConfig(
        name="tiny-spans",
        seeds=(26,),
        encoder=EncoderConfig(name=str(encoder), layers=(2, 3), window=20, margin=4),
        memory=MemoryConfig(num_cells=4, hidden_size=12, mlp_size=10, key_size=3),
        spans=SpanConfig(max_width=6, size=8),
    )
    network = Network(config.memory, 2 * _HIDDEN_SIZE, seeds=config.seeds)
    head = SpanHead(config.spans, 2 * _HIDDEN_SIZE, seed=2)
    with torch.no_grad():
        head.out.mul_(3)
        head.out_bias.fill_(-1)
        network.similarity_out_bias.fill_(1)
    spans = {f"{PREFIX}{name}": value for name, value in head.named_parameters()}
    weights = dict(network.named_parameters()) | spans
    save_trained(folder, TrainedModel(name="tiny-spans", config=config, record={"threshold": 0.25}, weights=weights))
    return folder


def tiny_reader(folder: Path, encoder: Path) -> Path:
    """The folder of a seeded random Referential Reader over an encoder: 4 cells, windows as ``tiny_model`` has."""
    config = RunConfig(
        name="tiny-reader",
        seeds=(5,),
        encoder=EncoderConfig(name=str(encoder), layers=(2, 3), window=20, margin=4),
        memory=MemoryConfig(num_cells=4, hidden_size=12, variant="referential-reader"),
    )
    network = ReferentialReader(config.memory, 2 * _HIDDEN_SIZE, seeds=config.seeds)
    weights = {
        name: parameter.detach() * (1 if name.startswith("start") else 2)
        for name, parameter in network.named_parameters()
    }
    save_trained(folder, TrainedModel(name="tiny-reader", config=config, record={"threshold": 0.25}, weights=weights))
    return folder


def byte_tokenizer() -> tokenizers.Tokenizer:
    """A tokenizer of bytes that joins a space to the word after it, as RoBERTa's does."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = tokenizers.Tokenizer(
        models.BPE(vocab={letter: index for index, letter in enumerate(alphabet)}, merges=[])
    )
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer


def _vocabulary(special: list[str]) -> dict[str, int]:
    letters = [*CHARACTERS, *(f"##{letter}" for letter in CHARACTERS if letter.isalnum())]
    return {token: index for index, token in enumerate([*special, *letters, *WORDS, *NAMES])}


def _word_pieces(vocabulary: dict[str, int], unknown: str) -> tokenizers.Tokenizer:
    tokenizer = tokenizers.Tokenizer(models.WordPiece(vocabulary, unk_token=unknown))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens([token for token in vocabulary if token[0] in "<["])
    return tokenizer


def _save(
    folder: Path, tokenizer: tokenizers.Tokenizer, kind: type[BertModel] | type[MPNetModel], config: object
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.enable_truncation(8)  # as found in published tokenizers, and to be ignored
    tokenizer.save(str(folder / "tokenizer.json"))
    with torch.random.fork_rng():
        torch.manual_seed(0)
        kind(config).save_pretrained(folder)
    return folder
