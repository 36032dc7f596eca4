# SPDX-License-Identifier: BSD-3-Clause
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/cmake/python/tsb_artifact_pythons.cmake)
tsb_artifact_pythons(artifacts versions cpu-all wheel-py311)
