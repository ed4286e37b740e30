"""Fusion methods: posteriors from the votes on a task and the probabilities of classifiers.

One file is one method. Aggregation of votes alone is in `quorate.aggregation`; the model of the crowd that several
methods share is in `quorate.decision.crowd_model`, the weights of classifiers in `quorate.decision.classifier_weights`.
"""
