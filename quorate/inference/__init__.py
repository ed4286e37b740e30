"""What aggregation and decision share: Bayes' rule, EM, worker responses, kernels."""
