# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_pack_zip(<out-var of the error> <torchpkg> <root> <zip>)
function(z_tsb_pack_zip out_error torchpkg root zip)
  execute_process(COMMAND "${torchpkg}" pack zip --root "${root}" --output "${zip}" RESULT_VARIABLE result)
  set(${out_error} "" PARENT_SCOPE)
  if(NOT result EQUAL 0)
    set(${out_error} "  packing ${zip} failed\n  see the message above" PARENT_SCOPE)
  endif()
endfunction()
