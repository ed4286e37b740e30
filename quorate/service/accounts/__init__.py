"""Who signs in: accounts, passwords, credentials, tokens, members of a project, and what each may do.

People who vote are in `workers`, although some of them have accounts.
"""
