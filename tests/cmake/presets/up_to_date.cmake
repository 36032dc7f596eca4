# SPDX-License-Identifier: BSD-3-Clause
# The committed preset files are what the matrix gives.
execute_process(
  COMMAND ${CMAKE_COMMAND} -D CHECK=ON -P ${TSB_SOURCE_DIR}/presets/generate_presets.cmake COMMAND_ERROR_IS_FATAL ANY
)
