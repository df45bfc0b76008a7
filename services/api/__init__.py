"""The table over HTTP: every move a request, every refusal with its reason, every event live."""

from services.api.app import create_app

__all__ = ["create_app"]
