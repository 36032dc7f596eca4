# SPDX-License-Identifier: BSD-3-Clause
# Run by CPack for each generator (CPACK_PROJECT_CONFIG_FILE): nothing is installed, so all but ours would pack nothing.
if(NOT CPACK_GENERATOR STREQUAL "External")
  message(FATAL_ERROR "  CPack's generator ${CPACK_GENERATOR} packs nothing here\n  run cpack without -G")
endif()
