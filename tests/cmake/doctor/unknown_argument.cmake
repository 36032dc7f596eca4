# SPDX-License-Identifier: BSD-3-Clause
include(${TSB_SOURCE_DIR}/cmake/doctor/tsb_doctor.cmake)
tsb_doctor(SOURCE_DIR /a MEMORY 7)
