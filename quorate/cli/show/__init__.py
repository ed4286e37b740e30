"""Results of the library as tables and sentences for people to read.

A module shows the results of one command, or of two that are alike. Nothing is computed here but what a table needs.
"""
