# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_pack_zip(<torchpkg> <root> <zip>)
function(z_tsb_pack_zip torchpkg root zip)
  execute_process(COMMAND "${torchpkg}" pack zip --root "${root}" --output "${zip}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    tsb_fail("packing ${zip} failed" "see the message above")
  endif()
endfunction()
