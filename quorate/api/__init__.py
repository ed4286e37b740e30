"""Functions that `import quorate` offers: aggregate, decide, certify, compare, forecast, train and others.

Each reads frames and files (`inputs`), finds methods by name, checks its arguments and calls the packages below. No
method is computed here, nothing is printed (`quorate.cli`), and HTTP routes are in `quorate.service.routes`. Import
these functions from `quorate` itself.
"""
