# SPDX-License-Identifier: BSD-3-Clause
# The committed preset files are what releases, backends and artifacts give.
execute_process(COMMAND python3 ${TSB_SOURCE_DIR}/presets/generate_presets.py --check COMMAND_ERROR_IS_FATAL ANY)
