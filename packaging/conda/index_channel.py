# SPDX-License-Identifier: BSD-3-Clause
"""Makes a folder with conda packages in folders of their platforms a channel: index_channel.py FOLDER. Needs py-rattler."""

import asyncio
import os
import sys

from rattler.index import index_fs

asyncio.run(index_fs(sys.argv[1], write_zst=False, write_shards=False))
os._exit(0)  # a thread of py-rattler may crash a Python that ends: consumer_check/install_packages.py
