# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_records_folder(<out-var> <name>): where configure keeps records that Python writes. A script has no build
# folder: it gets one of its own, and removes it.
function(z_tsb_records_folder out name)
  set(folder "${CMAKE_BINARY_DIR}/${name}")
  if(CMAKE_SCRIPT_MODE_FILE)
    string(RANDOM LENGTH 8 suffix)
    set(folder "/tmp/tsb-${name}-${suffix}")
    if(IS_DIRECTORY "$ENV{TMPDIR}")
      set(folder "$ENV{TMPDIR}/tsb-${name}-${suffix}")
    endif()
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()
