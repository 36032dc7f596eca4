# SPDX-License-Identifier: BSD-3-Clause
"""The channels of a target. Files get into release by promotion only. UNLISTED stands for the files that no channel has, such
as those of a killed upload."""

STAGING = ("test", "nightly")
CHANNELS = (*STAGING, "release")
MEANING = {
    "release": "tested builds, for everybody",
    "test": "builds that may become a release",
    "nightly": "builds of each night, for trying what is new",
}
UNLISTED = "no channel"
