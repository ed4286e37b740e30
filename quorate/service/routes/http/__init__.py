"""HTTP parts that all routes share: authentication, parameters, errors, size limits, request log, OpenAPI schema."""
