"""Functions that `import quorate` offers: aggregate, decide, certify, compare, forecast and others.

Each finds methods by name, checks its arguments and calls the packages below. No method is computed here, nothing is
printed (`quorate.cli`), and HTTP routes are in `quorate.service.api`. Import these functions from `quorate` itself.
"""
