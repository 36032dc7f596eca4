# SPDX-License-Identifier: BSD-3-Clause
SCHEMA = 2  # of report.json
