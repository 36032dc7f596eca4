# SPDX-License-Identifier: BSD-3-Clause
"""A file on a server that answers requests for parts of it."""

import http.client
import time

from engine.sources import download

PAUSES = (1, 3)  # seconds, after a lost connection


class NoRanges(Exception):
    """The server does not answer with a part of the file."""


class RemoteFile:
    """`size`: in bytes. Errors: NoRanges; OSError."""

    def __init__(self, url):
        self.url = url
        with self._open("bytes=0-0") as response:
            self.size = int(response.headers["Content-Range"].rpartition("/")[2])

    def _open(self, ranges):
        request = download.request_for(self.url, 0)
        request.add_header("Range", ranges)
        response = download.opener(self.url).open(request, timeout=download.SILENCE)
        if response.status != 206:
            response.close()
            raise NoRanges("the server sends whole files only")
        return response

    def read_blocks(self, begin, end):
        """The bytes from `begin` up to `end`, in blocks. A lost connection is made again, twice."""
        pauses = iter(PAUSES)
        while begin < end:
            try:
                with self._open(f"bytes={begin}-{end - 1}") as response:
                    while begin < end:
                        block = response.read1(1 << 18)
                        if not block:
                            raise ConnectionError("the server closed the connection")
                        begin += len(block)
                        yield block
            except (OSError, http.client.HTTPException):
                pause = next(pauses, None)
                if pause is None:
                    raise
                time.sleep(pause)

    def read(self, begin, end):
        return b"".join(self.read_blocks(begin, end))
