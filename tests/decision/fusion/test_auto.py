from dataclasses import replace

from quorate.decision.base import TAUGHT
from quorate.decision.fusion.auto import Auto
from quorate.decision.fusion.difficulty import FusedByDifficulty
from quorate.decision.fusion.log_linear import FusedLogLinear
from tests.decision.fusion.pools import a_pool


def test_the_fusion_suits_the_data() -> None:
    votes, machines, gold = a_pool()
    taught = {TAUGHT: machines["machine"]}
    suited = Auto()
    assert isinstance(suited.fit(votes, taught, gold), FusedLogLinear)
    assert isinstance(suited.fit(votes, machines), FusedLogLinear)
    first, alone = suited.fit(votes, taught), suited.fit(votes, {})
    assert isinstance(first, FusedByDifficulty)
    assert isinstance(alone, FusedByDifficulty)
    assert (len(first.levels), len(alone.levels)) == (3, 5)
    useless = suited.fit(votes, taught, None, replace(first, weight=0.25))  # not borne out: as without it
    assert isinstance(useless, FusedByDifficulty)
    assert useless.levels == alone.levels
