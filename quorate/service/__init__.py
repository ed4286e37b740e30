"""The service: an HTTP server with projects, their items, workers, votes and decisions, and a learner process.

Packages are capabilities, in layers: `routes` (HTTP) at the top, `store` (the database) at the bottom, and between them
what the service does, from `forecasts` and `reports` over `imports`, `exports`, `work`, `items` and `workers` down to
`decisions`, `webhooks`, `accounts` and `projects`. `learner` is the background process; `operations` and `monitoring`
are for whoever runs the service; `app` and `server` put it together. A package imports only those below it: the exact
order is in pyproject.toml, and import-linter checks it. How to aggregate and decide is in the library outside of this
package; `quorate.client` calls a service.
"""
