"""Accounts that sign in: passwords, credentials, tokens, members of a project, and permissions.

People who vote are in `workers`, although some of them have accounts.
"""
