# SPDX-License-Identifier: BSD-3-Clause
# A text with a ";" would lose what stands behind it.
include(${TSB_SOURCE_DIR}/cmake/settings/tsb_declare_setting.cmake)
tsb_declare_setting(TSB_DEMO TYPE BOOL DEFAULT_TEXT "OFF; ON in fleets" HELP "A switch")
