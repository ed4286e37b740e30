"""The learner: a background process that fits the models of all projects as votes come in, and completes projects."""
