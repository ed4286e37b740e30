"""Bases of networks: from an item to a feature vector.

Each file defines one base; files that begin with `_` are shared by several bases. Heads, which turn features into
probabilities of classes and votes, are in `quorate.learning.heads`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import lazy_exports

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.learning.bases.char_cnn import CharCnn as CharCnn
    from quorate.learning.bases.char_word_rnn import CharWordRnn as CharWordRnn
    from quorate.learning.bases.linear import Linear as Linear
    from quorate.learning.bases.lstm import Lstm as Lstm
    from quorate.learning.bases.mlp import Mlp as Mlp
    from quorate.learning.bases.resnet import Resnet as Resnet
    from quorate.learning.bases.small_cnn import SmallCnn as SmallCnn
    from quorate.learning.bases.text_and_features import TextAndFeatures as TextAndFeatures
    from quorate.learning.bases.tf_idf import TfIdf as TfIdf
    from quorate.learning.bases.transformer import Transformer as Transformer
    from quorate.learning.bases.wide_resnet import WideResnet as WideResnet
# end of method classes

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, with_methods=True)
