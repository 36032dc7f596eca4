# SPDX-License-Identifier: BSD-3-Clause
"""Where sources come from: one file for each provider."""
