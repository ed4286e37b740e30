"""A folder with a small BERT of random weights, and its parts."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "fine", "dull", "film", "book", "##s", "very"]
WIDTH, INNER, N_LAYERS, N_POSITIONS = 8, 12, 3, 16


def make_bert(folder: Path, seed: int = 0, **config: Any) -> Path:
    """Write a BERT of three layers, with these changes of its configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": WIDTH,
        "intermediate_size": INNER,
        "num_hidden_layers": N_LAYERS,
        "num_attention_heads": 2,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": N_POSITIONS,
        "type_vocab_size": 2,
        "vocab_size": len(WORDS),
    }
    (folder / "config.json").write_text(json.dumps(settings | config))
    tokenizer = Tokenizer(WordPiece({word: index for index, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    tokenizer.save(str(folder / "tokenizer.json"))
    save_file(_weights(np.random.default_rng(seed)), folder / "model.safetensors")
    return folder


def _weights(rng: np.random.Generator) -> dict[str, Any]:
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (N_POSITIONS, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    norms = ["embeddings.LayerNorm"]
    for number in range(N_LAYERS):
        layer = f"encoder.layer.{number}."
        linear = {f"attention.self.{name}": (WIDTH, WIDTH) for name in ("query", "key", "value")}
        linear |= {"attention.output.dense": (WIDTH, WIDTH)}
        linear |= {"intermediate.dense": (INNER, WIDTH), "output.dense": (WIDTH, INNER)}
        for name, shape in linear.items():
            shapes |= {f"{layer}{name}.weight": shape, f"{layer}{name}.bias": shape[:1]}
        norms += [f"{layer}attention.output.LayerNorm", f"{layer}output.LayerNorm"]
    for name in norms:
        shapes |= {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}
    return {name: rng.normal(0, 0.5, shape).astype(np.float32) for name, shape in shapes.items()}
