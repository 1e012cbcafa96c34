"""An axis that does not change from one picture to the next: drawn once, then copied."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import RendererAgg


class Still(Artist):
    """Stands for an axis (ticks, grid, their texts), which takes most of the time of a small picture.

    Formats without pixels get the axis itself.
    """

    def __init__(self, axis: Any) -> None:
        super().__init__()
        self._axis = axis
        self._key: object = None
        self._pixels: Any = None
        self.set_zorder(axis.get_zorder())

    def draw(self, renderer: Any) -> None:
        """Copies the pixels, which are made where there are none of this size yet."""
        self._axis.set_visible(True)
        if type(renderer) is RendererAgg:
            key = renderer.width, renderer.height, renderer.dpi
            if key != self._key:
                made: Any = RendererAgg  # matplotlib does not say its types
                layer = made(*key)
                self._axis.draw(layer)
                self._key, self._pixels = key, np.array(layer.buffer_rgba())[::-1]
            renderer.draw_image(renderer.new_gc(), 0, 0, self._pixels)
        else:
            self._axis.draw(renderer)
        self._axis.set_visible(False)


def hold_still(ax: Axes) -> None:
    """Draws both axes of a frame once only."""
    for axis in (ax.xaxis, ax.yaxis):
        still = Still(axis)
        axis.set_visible(False)
        ax.add_artist(still)
