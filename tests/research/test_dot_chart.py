from __future__ import annotations

from xml.etree import ElementTree

from noteeval_desktop.research.dot_chart import Axis, Dot, dot_chart

SVG = "{http://www.w3.org/2000/svg}"
ROWS = [("ROUGE-1-R", [Dot(0.5, (0.4, 0.6), 0.57)]), ("<other> & more", [Dot(None, None, -1.0)])]


def _chart() -> ElementTree.Element:
    return ElementTree.fromstring(dot_chart("Facts & rates", ["Factual R"], ROWS))


def test_a_correlation_stands_where_it_is_between_the_ends() -> None:
    """The panel is 180 wide from 190 on: 0.5 lies at three quarters of it."""
    (circle,) = _chart().iter(f"{SVG}circle")
    assert float(circle.attrib["cx"]) == 190 + 135
    (line,) = (line for line in _chart().iter(f"{SVG}line") if line.attrib["class"] == "i")
    assert (float(line.attrib["x1"]), float(line.attrib["x2"])) == (190 + 126, 190 + 144)


def test_published_and_measured_differ_in_shape_and_are_told_in_words() -> None:
    chart = _chart()
    assert len(list(chart.iter(f"{SVG}path"))) == 2
    assert (chart.findtext(f"{SVG}desc") or "").startswith("ROUGE-1-R: Factual R 0.50. <other> & more: not computed.")
    assert any((text.text or "").endswith("Hollow diamond: published.") for text in chart.iter(f"{SVG}text"))
    alone = ElementTree.fromstring(dot_chart("Facts", ["Factual R"], [("ROUGE-1-R", [Dot(0.5)])]))
    assert not any("published" in (text.text or "") for text in alone.iter(f"{SVG}text"))


def test_it_follows_the_reader_s_scheme() -> None:
    assert "prefers-color-scheme:dark" in (_chart().findtext(f"{SVG}style") or "")


def test_an_axis_of_its_own_and_what_lies_beyond_it() -> None:
    axis = Axis((0.0, 0.5, 1.0), "Thin line: least to most.", 0.5)
    chart = ElementTree.fromstring(dot_chart("Drops", ["1"], [("a", [Dot(2.0, range=(0.25, 0.75))])], axis))
    (circle,) = chart.iter(f"{SVG}circle")
    assert float(circle.attrib["cx"]) == 190 + 180
    drawn = [line for line in chart.iter(f"{SVG}line") if line.attrib["class"] == "z"]
    assert sorted((float(line.attrib["x1"]), float(line.attrib["x2"])) for line in drawn) == [
        (190 + 45, 190 + 135),
        (190 + 90, 190 + 90),
    ]
