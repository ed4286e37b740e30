"""Items of a project: validated, inserted, listed, shown in detail, overridden, and classified on request.

Reading files of items is in `imports`.
"""
