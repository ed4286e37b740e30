"""The service: an item pool, people and machines who vote on it, and decisions at the least expected cost, live.

Its rooms, each of which imports only those before it: `store` (tables and transactions), `usecases` (what can be done,
without HTTP), `learner` (what is refitted in the background), `api` (HTTP), and `app`, which puts them together.
"""
