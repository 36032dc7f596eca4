# SPDX-License-Identifier: BSD-3-Clause
"""Writes into an artifact's bills of materials which files it has.

    python3 engine sbom.add_files <folder that is packed> <its bills, without .spdx.json and .cdx.json>

It is run when the files are as they will be packed: libraries are edited, and a conda package is laid out, after the
licences and the components are known. Each file gets its hashes, each symlink its target. Left out are the bills
themselves and what is written when it is packed.

What an earlier run wrote about files is replaced. The documents get other names, from the former ones and the files.
"""

import concurrent.futures
import os
import re

from engine.build_folder import read_json
from engine.failure import Failure
from engine.sbom import bill, cyclonedx, spdx

# A wheel's, and a conda package's.
WRITTEN_WHEN_PACKED = r"[^/]*\.dist-info/(RECORD|WHEEL)|info/(index\.json|paths\.json|files|has_prefix)"


def list_files(root, left_out):
    """(paths of files, {path: target} of symlinks), relative to the root."""
    files, links = [], {}
    for folder, folders, names in os.walk(root):
        for name in folders + names:
            place = os.path.join(folder, name)
            path = os.path.relpath(place, root)
            if os.path.islink(place):
                links[path] = os.readlink(place)
            elif name in names and path not in left_out and not re.fullmatch(WRITTEN_WHEN_PACKED, path):
                files.append(path)
    for path in sorted([*files, *links]):
        try:
            (path + links.get(path, "")).encode()
        except UnicodeEncodeError:
            raise Failure(
                "a file's name, or a link's target, is not UTF-8: %r" % os.fsencode(os.path.join(root, path)),
                "give it another name",
            ) from None
    return sorted(files), dict(sorted(links.items()))


def main(root, bills):
    own = [bills + suffix for suffix in (".spdx.json", ".cdx.json")]
    left_out = [os.path.relpath(path, root) for path in own]
    paths, links = list_files(root, left_out)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        files = dict(zip(paths, pool.map(lambda path: bill.hashes_of(os.path.join(root, path)), paths)))
    documents = [read_json(path) for path in own]
    name = bill.name_of([documents[0]["documentNamespace"], files, links])
    spdx.add_files(documents[0], files, left_out, name)
    cyclonedx.add_files(documents[1], files, links, name)
    for path, document in zip(own, documents):
        bill.write_document(path, document)
