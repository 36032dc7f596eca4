# SPDX-License-Identifier: BSD-3-Clause
# A file edited by hand and a file that nobody generates are noticed; nothing is changed by looking.
file(COPY ${TSB_SOURCE_DIR}/presets ${TSB_SOURCE_DIR}/CMakePresets.json DESTINATION ${TSB_TEST_DIR})
file(APPEND ${TSB_TEST_DIR}/presets/cpu.json "\n")
file(WRITE ${TSB_TEST_DIR}/presets/cu999.json "{}\n")
execute_process(
  COMMAND python3 ${TSB_SOURCE_DIR}/presets/generate_presets.py --check --root ${TSB_TEST_DIR} COMMAND_ERROR_IS_FATAL
          ANY
)
