"""Items of a project: added, validated, listed, shown in detail, overridden, and classified on request.

Reading files of items is in `imports`.
"""
