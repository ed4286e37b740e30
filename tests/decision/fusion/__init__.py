"""Tests of the ways to add up machine and votes."""
