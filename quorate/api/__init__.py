"""The verbs that `import quorate` offers."""
