"""How a gap is shared out among changes: the mean of what each adds, over the orders in which they can be made.

Values are arrays, so that many gaps are shared out at once; `nan` in any of them makes the parts `nan`.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence

import numpy as np

from boxscore.tables.model import Floats

Subset = frozenset[int]
ORDERS = 64
SEED = 0


def exact_is_cheaper(n: int) -> bool:
    """Whether all subsets of n changes are no more than what sampled orders may visit: up to nine changes."""
    return 2**n <= ORDERS * n or n == 0


def subsets(n: int) -> list[Subset]:
    """All subsets of n changes, small ones first."""
    return [frozenset(c) for size in range(n + 1) for c in itertools.combinations(range(n), size)]


def sampled_orders(n: int) -> list[tuple[int, ...]]:
    """Random orders of n changes, the same ones every time."""
    chance = random.Random(SEED)  # its shuffle is the same in all versions of Python
    made = []
    for _ in range(ORDERS):
        order = list(range(n))
        chance.shuffle(order)
        made.append(tuple(order))
    return made


def visited(orders: Sequence[tuple[int, ...]]) -> list[Subset]:
    """The subsets that some orders go through, each once."""
    return list(dict.fromkeys(frozenset(order[:k]) for order in orders for k in range(len(order) + 1)))


def exact_parts(values: Mapping[Subset, Floats], n: int) -> Floats:
    """The mean contribution of each change over all orders.

    >>> gains = {frozenset(): 0.0, frozenset({0}): 1.0, frozenset({1}): 2.0, frozenset({0, 1}): 4.0}
    >>> exact_parts({subset: np.array([gain]) for subset, gain in gains.items()}, 2)[:, 0].tolist()
    [1.5, 2.5]
    """
    parts = np.zeros((n, len(values[frozenset()])))
    for subset in subsets(n):
        weight = 1 / (n * math.comb(n - 1, len(subset))) if len(subset) < n else 0.0
        for i in set(range(n)) - subset:
            parts[i] += weight * (values[subset | {i}] - values[subset])
    return parts


def sampled_parts(values: Mapping[Subset, Floats], orders: Sequence[tuple[int, ...]]) -> tuple[Floats, Floats]:
    """The mean contribution of each change over some orders, and its standard error."""
    n, m = len(orders[0]), len(values[frozenset()])
    gains = np.empty((len(orders), n, m))
    for k, order in enumerate(orders):
        for place, i in enumerate(order):
            gains[k, i] = values[frozenset(order[: place + 1])] - values[frozenset(order[:place])]
    return gains.mean(axis=0), gains.std(axis=0, ddof=1) / math.sqrt(len(orders))
