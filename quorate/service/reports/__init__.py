"""Quality of a project as its owner sees it: audit, reliability of probabilities, confusions, quality of workers."""
