"""Encoders of texts and images: frozen networks, found automatically, whose features a small classifier learns from.

Each turns an item into a vector without labels; `quorate.learning.features` brings the vectors of a pool to one scale.
Networks that votes train are in `quorate.learning.bases`.
"""
