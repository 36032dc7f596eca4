# SPDX-License-Identifier: BSD-3-Clause
"""The channels of a target. Files get into release by promotion only."""

STAGING = ("test", "nightly")
CHANNELS = (*STAGING, "release")
