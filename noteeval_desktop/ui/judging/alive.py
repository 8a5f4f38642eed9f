"""Handlers of jobs that may outlive the dialog that asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject
from shiboken6 import isValid

T = TypeVar("T")


def while_alive(owner: QObject, act: Callable[[T], object]) -> Callable[[T], None]:
    """``act``, but nothing once Qt has deleted ``owner``."""

    def handle(value: T) -> None:
        if isValid(owner):
            act(value)

    return handle
