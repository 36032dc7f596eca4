# SPDX-License-Identifier: BSD-3-Clause
"""Generates the pages of a channel from its files.json:

  index.html                          for people: page.html with the files, and their sizes over time
  simple/index.{html,json}            the projects (PEP 503, PEP 691)
  simple/<project>/index.{html,json}  their wheels, with hashes, sizes, upload times (PEP 700) and Requires-Python
  conda/<platform>/repodata.json      of a conda channel, also as .zst; clients refuse a channel without noarch/
  SHA256SUMS                          the hashes of all files, and its signature if TSB_SIGN is set
  sizes.csv                           one row for each file that was ever published

Each wheel's METADATA is beside the wheel, as <wheel>.metadata (PEP 658, PEP 714).
"""

import csv
import html
import io
import json
import pathlib
import string
import tempfile
import urllib.parse

import zstandard
from channels import MEANING
from choice import age, in_force, of_backend, rank

from engine.folders import natural
from engine.make_statements import sign
from engine.text import counted, size_text

HERE = pathlib.Path(__file__).resolve().parent
API_VERSION = "1.1"
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="pypi:repository-version" content="{version}">
<title>{title}</title>
</head>
<body>
<h1>{title}</h1>
{body}</body>
</html>
"""
HEADS = ("File", "Version", "Backend", "Python", "Size", "Published")
HERE_TAG = '<span class="here">https://…/</span>'
INSTALL = {
    "wheel": f'pip install --extra-index-url {HERE_TAG}simple "%s==%s"',
    "conda": f'conda install --channel {HERE_TAG}conda --channel conda-forge "%s=%s=*%s*"',
    "zip": f"curl -fLo %s {HERE_TAG}%s",
}
CHANNEL = """<p>This is the channel <b>$channel</b>: $meaning.</p>
<h2>Install</h2>
$install<p><a href="SHA256SUMS">SHA256SUMS</a> has the hash of each file.</p>
<h2 id="files">Files</h2>
<p><label>Show only <input type="search" id="filter" placeholder="for example: wheel cpu cp312"></label>
<output id="count" for="filter">$count files</output></p>
$groups<h2>Sizes over time</h2>
<div class="plots">
$plots</div>
<p>All of them: <a href="sizes.csv">sizes.csv</a></p>
"""


def url(name):
    """Percent-encodes a name, including +, which some object stores decode as a space."""
    return urllib.parse.quote(name)


def page(title, body):
    return PAGE.format(version=API_VERSION, title=html.escape(title), body=body)


def styled(title, nav, main):
    return string.Template((HERE / "page.html").read_text()).substitute(title=title, nav=nav, main=main)


def json_text(value):
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def latest(entries):
    """{name, such as libtorch-shared-with-deps-latest+cpu.zip: entry} of the newest zip of each kind."""
    found = {}
    for entry in in_force(entries).values():
        if entry["kind"] == "zip" and not entry["product"].startswith("debug-"):
            name = entry["latest"]
            if name not in found or age(found[name]) < age(entry):
                found[name] = entry
    return found


def project_html(project, wheels):
    body = ""
    for wheel in wheels:
        # Not data-dist-info-metadata, its old name: with it, pip before 23.2 refuses projects whose name in METADATA is
        # not normalized. https://peps.python.org/pep-0714/
        attributes = f' data-core-metadata="sha256={wheel["metadata_sha256"]}"'
        if wheel["requires_python"]:
            attributes += f' data-requires-python="{html.escape(wheel["requires_python"])}"'
        if "yanked" in wheel:
            attributes += f' data-yanked="{html.escape(wheel["yanked"])}"'
        target = f"../../../files/{url(wheel['name'])}#sha256={wheel['sha256']}"
        body += f'<a href="{target}"{attributes}>{html.escape(wheel["name"])}</a><br>\n'
    return page("Links for " + project, body)


def project_json(project, wheels):
    files = []
    for wheel in wheels:
        file = {
            "filename": wheel["name"],
            "url": "../../../files/" + url(wheel["name"]),
            "hashes": {"sha256": wheel["sha256"]},
            "size": wheel["size"],
            "upload-time": wheel["uploaded"],
            "core-metadata": {"sha256": wheel["metadata_sha256"]},
        }
        more = {"requires-python": wheel["requires_python"], "yanked": wheel.get("yanked")}
        file.update({name: value for name, value in more.items() if value})
        files.append(file)
    versions = sorted({wheel["version"] for wheel in wheels}, key=natural)
    return {"meta": {"api-version": API_VERSION}, "name": project, "versions": versions, "files": files}


def simple_pages(entries, old):
    projects, body, pages = {}, "", {}
    for wheel in sorted((entry for entry in entries if entry["kind"] == "wheel"), key=lambda entry: entry["name"]):
        projects.setdefault(wheel["project"], []).append(wheel)
    # A project without wheels keeps an empty page.
    gone = {path.split("/")[2]: [] for path in old if path.count("/") == 3 and path.split("/")[1] == "simple"}
    for project, wheels in sorted({**gone, **projects}.items()):
        pages[f"simple/{project}/index.html"] = project_html(project, wheels)
        pages[f"simple/{project}/index.json"] = json_text(project_json(project, wheels))
    for project in sorted(projects):
        body += f'<a href="{url(project)}/">{html.escape(project)}</a><br>\n'
    names = [{"name": project} for project in sorted(projects)]
    pages["simple/index.html"] = page("Projects", body)
    pages["simple/index.json"] = json_text({"meta": {"api-version": API_VERSION}, "projects": names})
    return pages


def channel_pages(entries, old):
    # Also the platforms of packages that were removed.
    platforms, removed = {path.split("/")[2]: {} for path in old if path.endswith("/repodata.json")}, {}
    packages = [entry for entry in entries if entry["kind"] == "conda"]
    if packages:
        platforms.setdefault("noarch", {})
    for package in packages:
        platform, file = package["name"].split("/")
        if "yanked" in package:  # no client chooses it; an address of it, as in a lock file, still works
            removed.setdefault(platform, []).append(file)
            continue
        platforms.setdefault(platform, {})[file] = dict(
            package["index"], sha256=package["sha256"], size=package["size"]
        )
    pages = {}
    for platform, records in platforms.items():
        repodata = {"info": {"subdir": platform}, "packages": {}, "packages.conda": records}
        text = json_text({**repodata, "removed": removed.get(platform, []), "repodata_version": 1})
        pages[f"conda/{platform}/repodata.json"] = text
        pages[f"conda/{platform}/repodata.json.zst"] = zstandard.ZstdCompressor().compress(text.encode())
    return pages


def sums_pages(channel, entries, old):
    """SHA256SUMS comes after its signatures, so a run that was killed between them signs again."""
    files = [file for entry in entries for file in (entry, *entry["beside"])]
    sums = "".join(f"{file['sha256']}  {file['name']}\n" for file in sorted(files, key=lambda file: file["name"]))
    beginning = f"{channel}/SHA256SUMS."
    signatures = {path[len(channel) + 1 :]: text for path, text in old.items() if path.startswith(beginning)}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "SHA256SUMS")
        file.write_text(sums)
        if not signatures or old.get(f"{channel}/SHA256SUMS") != sums.encode():
            signatures = {path.name: path.read_bytes() for path in sign(file)}
    return {**signatures, "SHA256SUMS": sums}


def csv_text(rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([("date", "file", "product", "backend", "version", "bytes"), *rows])
    return text.getvalue()


def plot(rows):
    """(SVG of sizes over time, its title). Shows the largest file of each day. Screen readers read the title."""
    days = {}
    for date, _, _, _, _, size in rows:
        days[date] = max(size, days.get(date, 0))
    points, low, high = sorted(days.items()), min(days.values()), max(days.values())
    width, height, step = 240, 48, 240 / max(len(points) - 1, 1)
    places = [
        (step * at if len(points) > 1 else width / 2, height - size / high * height)
        for at, (_, size) in enumerate(points)
    ]
    title = "%s on %s" % (size_text(points[-1][1]), points[-1][0])
    if len(points) > 1:
        title = "from %s on %s to %s; between %s and %s" % (
            size_text(points[0][1]),
            points[0][0],
            title,
            size_text(low),
            size_text(high),
        )
    line = " ".join("%.1f,%.1f" % place for place in places)
    return (
        f'<svg viewBox="-6 -6 {width + 12} {height + 12}" role="img" aria-label="{title}"><title>{title}</title>'
        f'<polyline points="{line}"/>'
        + "".join('<circle cx="%.1f" cy="%.1f" r="3"/>' % place for place in places)
        + "</svg>"
    ), title


def row(entry):
    cells = [f'<td data-label="File"><a href="../files/{url(entry["name"])}">{html.escape(entry["name"])}</a>']
    for file in entry["beside"]:
        what = {"cdx": "CycloneDX", "spdx": "SPDX", "intoto": "provenance"}
        label = next((text for part, text in what.items() if f".{part}.json" in file["name"]), "")
        if file["name"].endswith(".json"):
            cells[0] += f' <a class="beside" href="../files/{url(file["name"])}">{label}</a>'
    if "yanked" in entry:
        cells[0] += f' <span class="beside">yanked: {html.escape(entry["yanked"])}</span>'
    for name, why in sorted(entry.get("off", {}).items()):
        cells[0] += f"<p>without {html.escape(name)}: {html.escape(why)}</p>"
    for line in entry.get("not_run", ()):
        cells[0] += f"<p>not run: {html.escape(line)}</p>"
    cells[0] += f"<details><summary>SHA-256</summary><code>{entry['sha256']}</code></details></td>"
    size, backend, python = size_text(entry["size"]), entry["backend"] or "–", entry["python"] or "–"
    for label, text in zip(HEADS[1:], (entry["version"], backend, python, size, entry["uploaded"][:10])):
        cells.append(f'<td data-label="{label}">{html.escape(text)}</td>')
    return f"<tr>{''.join(cells)}</tr>\n"


def table(entries):
    heads = "".join(f'<th scope="col">{head}</th>' for head in HEADS)
    rows = "".join(map(row, entries))
    return f"<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table>\n"


def install_text(entries):
    """The commands that install the newest files of each backend; of `entries` the newest is first."""
    commands, text = {}, ""
    good = in_force({entry["name"]: entry for entry in entries})
    for entry in good.values():
        if entry["kind"] != "zip" and entry["backend"]:
            product = entry["product"].split()[0]
            words = (product, entry["version"], entry["backend"])[: INSTALL[entry["kind"]].count("%s")]
            of_backend = commands.setdefault(entry["backend"].replace("cuda", "cu"), {})
            of_backend.setdefault((entry["kind"] == "conda", product), f"<pre>{INSTALL[entry['kind']] % words}</pre>")
    for alias, entry in latest(good).items():
        link = f'<p><a href="{url(alias)}">{html.escape(alias)}</a> is {html.escape(entry["version"])}</p>'
        command = f"<pre>{INSTALL['zip'] % (html.escape(alias), url(alias))}</pre>"
        commands.setdefault(entry["backend"], {})[2, alias] = f"{link}\n{command}"
    for backend, lines in sorted(commands.items(), key=lambda item: natural(item[0])):
        inside = "\n".join(line for _, line in sorted(lines.items()))
        start = "" if text else " open"
        text += f'<details class="install"{start}><summary>{backend}</summary>\n{inside}\n</details>\n'
    return text


def index_page(channel, state):
    entries = sorted(state["files"].values(), key=lambda entry: (natural(entry["backend"]), natural(entry["name"])))
    entries.sort(key=rank, reverse=True)
    products, groups, plots = {}, "", ""
    for entry in entries:
        products.setdefault(entry["product"], []).append(entry)
    for product, files in sorted(products.items(), key=lambda item: (item[0].startswith("debug-"), item[0])):
        best = {of_backend(one): rank(one) for one in reversed(files)}
        newest = [one for one in files if rank(one) == best[of_backend(one)]]
        groups += f"<section><h3>{html.escape(product)}</h3>\n{table(newest)}"
        old = [one for one in files if rank(one) != best[of_backend(one)]]
        if old:
            older = '<details class="older"><summary>%s</summary>\n%s</details>'
            groups += older % (counted(len(old), "older file"), table(old))
        groups += "</section>\n"
    series = {}
    for line in state["sizes"]:
        series.setdefault((line[2], line[3]), []).append(line)
    for (product, backend), lines in sorted(series.items()):
        picture, title = plot(lines)
        plots += f"<figure><figcaption>{html.escape(product)} {backend}</figcaption>{picture}<p>{title}</p></figure>\n"
    facts = {"groups": groups, "plots": plots, "install": install_text(entries), "count": len(entries)}
    main = string.Template(CHANNEL).substitute(facts, channel=channel, meaning=MEANING[channel])
    return styled("PyTorch packages: " + channel, '<a href="../index.html">All channels</a>', main)


def pages_of(channel, state, old):
    """{path: content as bytes}, in the order in which to write them. Error: Failure, if signing fails."""
    entries = sorted(state["files"].values(), key=lambda entry: entry["name"])
    pages = {**channel_pages(entries, old), **simple_pages(entries, old), **sums_pages(channel, entries, old)}
    pages["sizes.csv"], pages["index.html"] = csv_text(state["sizes"]), index_page(channel, state)
    return {f"{channel}/{path}": text if isinstance(text, bytes) else text.encode() for path, text in pages.items()}


def root_page(channels):
    items = "".join(f'<li><a href="{one}/index.html">{one}</a>: {MEANING[one]}</li>\n' for one in channels)
    return styled("PyTorch packages", "", f"<p>The channels:</p>\n<ul>\n{items}</ul>\n").encode()
