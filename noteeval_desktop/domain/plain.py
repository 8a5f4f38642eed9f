"""Frozen values as plain JSON data, and back without loss: how the store keeps them."""

from __future__ import annotations

import functools
import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def to_plain(value: object) -> Any:
    """Dataclasses become objects by field name, enums their values, tuples lists, times ISO 8601.

    Raises TypeError for a value of another type.
    """
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, tuple | list):
        return [to_plain(member) for member in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"not a plain value: {type(value).__name__}")


def from_plain(kind: type[T], data: Any) -> T:
    """Read what ``to_plain`` wrote of a ``kind``. Fields added since take their defaults; unknown ones are left out.

    Raises ValueError where the data do not fit.
    """
    try:
        value: T = _read(kind, data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"not a {kind.__name__}") from error
    return value


def _read(kind: Any, data: Any) -> Any:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        if data is None:
            return None
        return _read(next(choice for choice in get_args(kind) if choice is not type(None)), data)
    if origin is tuple:
        return _read_tuple(get_args(kind), data)
    if is_dataclass(kind):
        return _read_dataclass(kind, data)
    if kind in (date, datetime):
        return kind.fromisoformat(data)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    if kind is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if type(data) is not kind:
        raise TypeError(f"{data!r:.20} is not {kind}")
    return data


def _read_tuple(members: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise TypeError("not a list")
    if members[-1] is Ellipsis:
        return tuple(_read(members[0], member) for member in data)
    return tuple(_read(kind, member) for kind, member in zip(members, data, strict=True))


def _read_dataclass(kind: Any, data: Mapping[str, Any]) -> Any:
    values = {}
    for field, hint in _fields_of(kind):
        if field.name in data:
            values[field.name] = _read(hint, data[field.name])
        elif field.default is MISSING and field.default_factory is MISSING:
            raise KeyError(field.name)
    return kind(**values)


@functools.cache
def _fields_of(kind: Any) -> tuple[tuple[Field[Any], Any], ...]:
    hints = get_type_hints(kind)
    return tuple((field, hints[field.name]) for field in fields(kind))
