"""Frozen values as plain JSON data, and back without loss: how the store keeps them."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from noteeval_desktop.domain.times import day, moment

T = TypeVar("T")
Reader = Callable[[Any], Any]


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
    shape: Any = kind
    try:
        value: T = _reader(shape)(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"not a {kind.__name__}") from error
    return value


@functools.cache
def _reader(kind: Any) -> Reader:
    """Made once a type: looking at the hints for every value took three quarters of the time of opening a case."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        inner = _reader(next(choice for choice in get_args(kind) if choice is not type(None)))
        return lambda data: None if data is None else inner(data)
    if origin is tuple:
        members = get_args(kind)
        return _many(_reader(members[0])) if members[-1] is Ellipsis else _each(tuple(_reader(m) for m in members))
    if is_dataclass(kind):
        return _dataclass(kind)
    if kind in (date, datetime):
        return moment if kind is datetime else day
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    return _exactly(kind)


def _many(inner: Reader) -> Reader:
    def read(data: Any) -> tuple[Any, ...]:
        if type(data) is not list:
            raise TypeError("not a list")
        return tuple(map(inner, data))

    return read


def _each(inners: tuple[Reader, ...]) -> Reader:
    def read(data: Any) -> tuple[Any, ...]:
        if type(data) is not list:
            raise TypeError("not a list")
        return tuple(inner(member) for inner, member in zip(inners, data, strict=True))

    return read


def _dataclass(kind: Any) -> Reader:
    hints = get_type_hints(kind)
    members = tuple(
        (one.name, _reader(hints[one.name]), one.default is MISSING and one.default_factory is MISSING)
        for one in fields(kind)
    )

    def read(data: Any) -> Any:
        values = {}
        for name, inner, required in members:
            if name in data:
                values[name] = inner(data[name])
            elif required:
                raise KeyError(name)
        return kind(**values)

    return read


def _exactly(kind: Any) -> Reader:
    def read(data: Any) -> Any:
        if type(data) is kind:
            return data
        if kind is float and type(data) is int:
            return float(data)
        raise TypeError(f"{type(data).__name__} is not {kind.__name__}")

    return read
