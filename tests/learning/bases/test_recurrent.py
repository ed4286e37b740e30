import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from quorate.learning.bases._recurrent import LstmStack
from quorate.learning.training.loop import make_optimiser
from quorate.learning.training.recipe import Recipe


def test_hidden_states_equal_those_of_a_packed_lstm_of_torch() -> None:
    torch.manual_seed(0)
    ours, theirs = LstmStack(3, 4, layers=2), nn.LSTM(3, 4, 2, batch_first=True, bidirectional=True)
    for layer in range(2):
        for direction, suffix in ((ours.ahead, ""), (ours.back, "_reverse")):
            for name, weight in direction[layer].named_parameters():
                weight.data = getattr(theirs, f"{name.removesuffix('0')}{layer}{suffix}").data
    embeddings, lengths = torch.randn(3, 5, 3), torch.tensor([5, 1, 3])
    mask = torch.arange(5) < lengths[:, None]
    states, last = ours(embeddings, mask)
    packed, (hidden, _) = theirs(pack_padded_sequence(embeddings, lengths, batch_first=True, enforce_sorted=False))
    expected, _ = pad_packed_sequence(packed, batch_first=True)
    assert torch.allclose(states[mask], expected[mask], atol=1e-6)
    assert torch.allclose(last, torch.cat([hidden[-2], hidden[-1]], dim=1), atol=1e-6)


def test_a_unidirectional_stack_ignores_later_positions() -> None:
    stack, mask = LstmStack(2, 3, bidirectional=False), torch.ones(1, 4, dtype=torch.bool)
    embeddings = torch.randn(1, 4, 2)
    changed = embeddings.clone()
    changed[:, 3] += 1
    before, after = stack(embeddings, mask)[0], stack(changed, mask)[0]
    assert torch.equal(before[:, :3], after[:, :3])
    assert not torch.equal(before[:, 3], after[:, 3])


def test_weight_decay_applies_to_weights_and_not_to_biases() -> None:
    decays, others = make_optimiser(LstmStack(2, 3), Recipe(weight_decay=0.1)).param_groups
    assert decays["weight_decay"] == 0.1
    assert [weight.ndim for weight in decays["params"]] == [2] * 4
    assert [weight.ndim for weight in others["params"]] == [1] * 4
