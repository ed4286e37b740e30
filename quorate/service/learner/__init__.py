"""What is refitted in the background: workers, the classifier, calibration, priorities."""
