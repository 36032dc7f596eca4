# SPDX-License-Identifier: BSD-3-Clause
include("${TSB_SOURCE_DIR}/cmake/step/tsb_step.cmake")
tsb_step(ran me it COLOUR red)
