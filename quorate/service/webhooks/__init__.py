"""Signed notices to other servers, as the Standard Webhooks specification has them."""
