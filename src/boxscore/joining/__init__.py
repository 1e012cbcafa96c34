"""From paths or arrays to two tables over the same images and classes."""
