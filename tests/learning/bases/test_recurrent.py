import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from quorate.learning.bases._recurrent import Reader
from quorate.learning.training.loop import make_optimiser
from quorate.learning.training.recipe import Recipe


def test_it_is_the_packed_lstm_of_torch() -> None:
    torch.manual_seed(0)
    ours, theirs = Reader(3, 4, layers=2), nn.LSTM(3, 4, 2, batch_first=True, bidirectional=True)
    for layer in range(2):
        for way, end in ((ours.ahead, ""), (ours.back, "_reverse")):
            for name, weight in way[layer].named_parameters():
                weight.data = getattr(theirs, f"{name.removesuffix('0')}{layer}{end}").data
    vectors, lengths = torch.randn(3, 5, 3), torch.tensor([5, 1, 3])
    there = torch.arange(5) < lengths[:, None]
    states, last = ours(vectors, there)
    packed, (hidden, _) = theirs(pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False))
    expected, _ = pad_packed_sequence(packed, batch_first=True)
    assert torch.allclose(states[there], expected[there], atol=1e-6)
    assert torch.allclose(last, torch.cat([hidden[-2], hidden[-1]], dim=1), atol=1e-6)


def test_one_way_it_never_looks_ahead() -> None:
    reader, there = Reader(2, 3, both_ways=False), torch.ones(1, 4, dtype=torch.bool)
    vectors = torch.randn(1, 4, 2)
    changed = vectors.clone()
    changed[:, 3] += 1
    before, after = reader(vectors, there)[0], reader(changed, there)[0]
    assert torch.equal(before[:, :3], after[:, :3])
    assert not torch.equal(before[:, 3], after[:, 3])


def test_its_weights_decay_and_its_biases_do_not() -> None:
    decays, others = make_optimiser(Reader(2, 3), Recipe(weight_decay=0.1)).param_groups
    assert decays["weight_decay"] == 0.1
    assert [weight.ndim for weight in decays["params"]] == [2] * 4
    assert [weight.ndim for weight in others["params"]] == [1] * 4
