"""Classification by several criteria."""
