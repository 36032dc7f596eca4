# SPDX-License-Identifier: BSD-3-Clause
"""Writes what is known of a run as one HTML file, which needs nothing else: plotly.js of tools/report_tools.txt is in it, and
page.html around it. A page has parts; a part is a title with tables and figures. Without plotly the tables are there alone."""

import html
import json
import pathlib
import re

from engine.folders import PROJECT
from engine.partial_file import write_text

LIBRARY = PROJECT / "build/report-tools/plotly/package_data/plotly.min.js"
PALETTE = ("#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#9d755d", "#bab0ac", "#eeca3b", "#ff9da6")


def cell(value):
    if isinstance(value, (int, float)):
        return f'<td class="number">{value:,}</td>'
    return f"<td>{html.escape(str(value))}</td>"


def table(head, rows):
    rows = list(rows)
    if not rows:
        return "<p>None.</p>"
    titles = "".join(f"<th>{html.escape(title)}</th>" for title in head)
    body = "\n".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{titles}</tr></thead><tbody>\n{body}</tbody></table></div>'


def folded(title, content):
    return f"<details><summary>{html.escape(title)}</summary>{content}</details>"


class Page:
    def __init__(self, title):
        self.title, self.body, self.figures = title, [], {}

    def part(self, title, *content):
        self.body += [f"<h2>{html.escape(title)}</h2>", *content]

    def figure(self, name, data, height=420, **layout):
        """Where the picture goes."""
        self.figures[name] = {"data": data, "layout": {"height": height, **layout}}
        return f'<figure><div data-figure="{name}" style="min-height: {height}px"></div></figure>'

    def choice(self, figures):
        """One of several pictures, {title: (name, data)}."""
        for name, data in figures.values():
            self.figures[name] = {"data": data, "layout": {"height": 520, "margin": {"b": 8}}}
        options = "".join(
            f'<option value="{name}">{html.escape(title)}</option>' for title, (name, _) in figures.items()
        )
        first = next(iter(figures.values()))[0]
        return (
            f'<select aria-label="which">{options}</select><div data-figure="{first}" style="min-height: 520px"></div>'
        )

    def write(self, file):
        """Whether it has pictures."""
        library = LIBRARY.read_text(encoding="utf-8") if LIBRARY.exists() else ""
        body = "\n".join(self.body)
        if not library:
            body = "<p>Without pictures: ./bootstrap.sh report installs what draws them.</p>" + body
            library = "const Plotly = { react() {} };"
        values = {
            "title": html.escape(self.title),
            "body": body,
            "library": library.replace("</script", "<\\/script"),
            "figures": json.dumps(self.figures, separators=(",", ":")).replace("</", "<\\/"),
        }
        template = pathlib.Path(__file__).with_name("page.html").read_text(encoding="utf-8")
        write_text(file, re.sub("@(title|body|library|figures)@", lambda match: values[match[1]], template))
        return LIBRARY.exists()


def bars(rows, colour, text=()):
    """Bars of a timeline: (line, begin, end)."""
    return {
        "type": "bar",
        "orientation": "h",
        "y": [line for line, _, _ in rows],
        "base": [begin for _, begin, _ in rows],
        "x": [round(end - begin, 2) for _, begin, end in rows],
        "marker": {"color": colour, "line": {"width": 0}},
        "hovertext": list(text),
        "hoverinfo": "text",
        "textposition": "none",
    }


def dependencies(edges):
    """A graph without circles, from left to right: (what is needed, what needs it)."""
    names = list(dict.fromkeys(name for edge in edges for name in edge))
    return {
        "type": "sankey",
        "arrangement": "snap",
        "node": {
            "label": names,
            "pad": 12,
            "thickness": 12,
            "color": [PALETTE[number % len(PALETTE)] for number in range(len(names))],
            "hovertemplate": "%{label}<extra></extra>",
        },
        "link": {
            "source": [names.index(needed) for needed, _ in edges],
            "target": [names.index(user) for _, user in edges],
            "value": [1] * len(edges),
            "color": "rgba(128,140,160,0.35)",
            "hovertemplate": "%{target.label} needs %{source.label}<extra></extra>",
        },
    }


def treemap(sizes):
    """(path, bytes, packed bytes) of files."""
    folders = {}
    for path, size, _ in sizes:
        parts = path.split("/")
        for depth in range(len(parts)):
            folders["/".join(parts[:depth])] = folders.get("/".join(parts[:depth]), 0) + size
    packed = {path: f"packed {inside / 1e6:.1f} MB" if inside else "" for path, _, inside in sizes}
    entries = [*folders.items(), *((path, size) for path, size, _ in sizes)]
    ids = [path or "all" for path, _ in entries]
    return {
        "type": "treemap",
        "ids": ids,
        "labels": [path.rpartition("/")[2] or "all" for path, _ in entries],
        "parents": ["" if not path else path.rpartition("/")[0] or "all" for path, _ in entries],
        "values": [size for _, size in entries],
        "text": [f"{size / 1e6:.1f} MB" for _, size in entries],
        "customdata": [packed.get(path, "") for path, _ in entries],
        "branchvalues": "total",
        "maxdepth": 4,
        "textinfo": "label+text",
        "hovertemplate": "%{id}<br>%{text}<br>%{customdata}<extra></extra>",
        "marker": {"colorscale": "Blues"},
    }
