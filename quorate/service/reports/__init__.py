"""Quality of a project as shown to its owner: audits, reliability of probabilities, confusions, workers."""
