# SPDX-License-Identifier: BSD-3-Clause
# Asks the backend abacus of TSB_ADDITIONS for its needs.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/cmake/backend/tsb_ask_backend.cmake)
set(backend_folder abacus)
set(backend_kind abacus)
tsb_ask_backend(answer backend needs)
