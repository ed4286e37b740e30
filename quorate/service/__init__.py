"""The service: an HTTP server with a pool of items, its voters and its decisions.

Each of these packages imports only those before it: `store` (tables and transactions), `usecases` (what can be done,
without HTTP), `learner` (what is refitted in the background), `api` (HTTP routes), and `app`, which puts them together.
How to aggregate and decide is in the library outside of this package; calls to a service are in `quorate.client`.
"""
