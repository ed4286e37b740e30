"""Demo of the service: `make demo`, or `python examples/service_demo/run.py`."""
