"""What audits say about decisions: error rates, bounds, certificates, drift."""
