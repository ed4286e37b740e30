"""Projects: their settings, their state, the plan that the settings describe, and a timeline of their progress."""
