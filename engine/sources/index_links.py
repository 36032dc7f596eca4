# SPDX-License-Identifier: BSD-3-Clause
"""Where pip's index has a file: for what pip cannot do, which is to read a part of it. The addresses are those that pip would
ask. https://packaging.python.org/en/latest/specifications/simple-repository-api/"""

import ast
import html
import json
import re
import urllib.parse

from engine.sources.download import opener, request_for
from engine.sources.run_pip import pip

TIMEOUT = 10  # seconds, as python_index.py lets pip wait
ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.5"
LINK = re.compile(r"<a\s[^>]*?href=[\"']([^\"']+)[\"']", re.IGNORECASE)


def index_addresses(python):
    """The indexes in the user's configuration and variables, else pip's own default, which its help names."""
    _, chosen = pip(python, "config", "list")
    settings = {}
    # What counts more comes later; for `extra-index-url` there may be several in one text.
    for where in ("global", "download", ":env:"):
        for name, value in re.findall(rf"^{where}[.]([a-z-]+)=(.*)$", chosen, re.MULTILINE):
            settings[name] = ast.literal_eval(value)
    if settings.get("no-index"):
        return []
    if "index-url" not in settings:
        _, text = pip(python, "download", "--help")
        default = re.search(r"--index-url <url>.*?\(default\s+(\S+?)\)", text, re.DOTALL)
        settings["index-url"] = default[1] if default else ""
    return [settings["index-url"], *settings.get("extra-index-url", "").split()]


def links_of(page, url, content_type):
    """{file name: address} of a page of the index."""
    if "json" in content_type:
        found = [file["url"] for file in json.loads(page)["files"]]
    else:
        found = [html.unescape(link) for link in LINK.findall(page)]
    addresses = [urllib.parse.urldefrag(urllib.parse.urljoin(url, link)).url for link in found]
    return {urllib.parse.unquote(address.rpartition("/")[2]): address for address in addresses}


def pages_of(python, project):
    """{file name: address} of the project's page in each index that the interpreter's pip asks. OSError, ValueError: a page
    cannot be read."""
    for index in filter(None, index_addresses(python)):
        url = f"{index.rstrip('/')}/{re.sub('[-_.]+', '-', project).lower()}/"
        request = request_for(url, 0)
        request.add_header("Accept", ACCEPT)
        with opener(url).open(request, timeout=TIMEOUT) as response:
            page, content_type = response.read().decode(), response.headers.get("Content-Type", "")
            yield links_of(page, response.url, content_type)
