"""Confidence bounds on the number of errors, from a random sample.

Only functions of counts belong here: wrong, audited, total. What is counted, and what the bounds are used for, is in
the modules of `quorate.audit`.
"""
