"""The world around the program, for the end-to-end tests, the tour and the bench. See README.md beside this file."""

from .app import App, Gone
from .fprintd import why_not as why_no_fingerprints
from .network import PrivateNetwork
from .network import why_not as why_no_network
from .provider import Provider, why_no_provider
from .tree import Node
from .wait import TimedOut, until
from .wayland import why_not as why_no_wayland
from .world import World, why_no_user

__all__ = [
    "App", "Gone", "Node", "PrivateNetwork", "Provider", "TimedOut", "World", "until", "why_no_fingerprints",
    "why_no_network", "why_no_provider", "why_no_user", "why_no_wayland"]
