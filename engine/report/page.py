# SPDX-License-Identifier: BSD-3-Clause
"""Writes what is known of a run as one HTML file, which needs nothing else: plotly.js of tools/report_tools.txt is in it, and
page.html around it. A page has parts; a part is a title with tables and figures. Without plotly the tables are there alone."""

import collections
import html
import json
import pathlib
import re
import time

from engine.folders import PROJECT
from engine.partial_file import write_text

LIBRARY = PROJECT / "build/report-tools/plotly/package_data/plotly.min.js"


def began(facts):
    return time.strftime("%F %R", time.localtime(facts["begin"]))


def cell(value):
    if isinstance(value, (int, float)):
        return f'<td class="number">{value:,}</td>'
    return f"<td>{html.escape(str(value))}</td>"


def table(head, rows):
    titles = "".join(f"<th>{html.escape(title)}</th>" for title in head)
    body = "\n".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in rows)
    whole = f'<div class="wide"><table><thead><tr>{titles}</tr></thead><tbody>\n{body}</tbody></table></div>'
    return whole if body else "<p>None.</p>"


def folded(title, content):
    return f"<details><summary>{html.escape(title)}</summary>{content}</details>"


class Page:
    def __init__(self, title):
        self.title, self.body, self.figures = title, [], {}

    def part(self, title, *content):
        self.body += [f"<h2>{html.escape(title)}</h2>", *content]

    def figure(self, name, data, height, **layout):
        """Where the picture goes."""
        self.figures[name] = {"data": data, "layout": {"height": height, **layout}}
        return f'<div data-figure="{name}" style="min-height: {height}px"></div>'

    def write(self, file):
        library, body = "const Plotly = { react() {} };", "\n".join(self.body)
        if self.figures and LIBRARY.exists():
            library = LIBRARY.read_text(encoding="utf-8")
        elif self.figures:
            body = "<p>Without pictures: ./bootstrap.sh report installs what draws them.</p>" + body
        values = {
            "title": html.escape(self.title),
            "body": body,
            "library": library.replace("</script", "<\\/script"),
            "figures": json.dumps(self.figures, separators=(",", ":")).replace("</", "<\\/"),
        }
        template = pathlib.Path(__file__).with_name("page.html").read_text(encoding="utf-8")
        write_text(file, re.sub("@(title|body|library|figures)@", lambda match: values[match[1]], template))


def bars(rows):
    """Bars in time, of rows (what has one colour, line, begin, end, name)."""
    found = []
    for group in dict.fromkeys(row[0] for row in rows):
        _, lines, begins, ends, names = zip(*(row for row in rows if row[0] == group))
        took = [round(end - begin, 2) for begin, end in zip(begins, ends)]
        words = [f"{name}: {seconds:,} s" for name, seconds in zip(names, took)]
        where = {"y": lines, "base": begins, "x": took, "hovertext": words, "hoverinfo": "text"}
        looks = {"type": "bar", "orientation": "h", "marker": {"line": {"width": 0}}, "textposition": "none"}
        found.append({"name": group, **where, **looks})
    return found


def dependencies(edges):
    """A graph without circles, from left to right: (what is needed, what needs it)."""
    names = list(dict.fromkeys(name for edge in edges for name in edge))
    needed, users = ([names.index(edge[end]) for edge in edges] for end in (0, 1))
    words = "%{target.label} needs %{source.label}<extra></extra>"
    links = {"source": needed, "target": users, "value": [1] * len(edges), "color": "rgba(128,140,160,0.35)"}
    nodes = {"label": names, "pad": 12, "thickness": 12, "hovertemplate": "%{label}<extra></extra>"}
    return {"type": "sankey", "arrangement": "snap", "node": nodes, "link": {**links, "hovertemplate": words}}


def treemap(sizes):
    """{path: bytes}"""
    whole = collections.Counter()  # of folders too
    for path, size in sizes.items():
        for end in re.finditer("/|$", "all/" + path):
            whole[f"all/{path}"[: end.start()]] += size
    return {
        "type": "treemap",
        "ids": list(whole),
        "labels": [path.rpartition("/")[2] for path in whole],
        "parents": [path.rpartition("/")[0] for path in whole],
        "values": list(whole.values()),
        "branchvalues": "total",
        "marker": {"depthfade": False, "line": {"color": "rgba(255,255,255,0.6)"}},  # so that labels can be read
        "texttemplate": "%{label}<br>%{value:.3s}B",
        "hovertemplate": "%{id}<br>%{value:.3s}B<extra></extra>",
    }
