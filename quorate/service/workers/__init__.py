"""People who vote: voters of a project, their identities on panels, consent, links, checks on gold, and their records.

What they do is in `work`, how good they are in `reports.worker_quality`.
"""
