# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_why_refused(<out-var> <artifact>): ", since ...", by the release's member `refused`, or nothing. Without an
# artifact it is the backend that is not there. Reads the record `model`.
function(z_tsb_why_refused out artifact)
  set(${out} "" PARENT_SCOPE)
  foreach(index IN LISTS model_refused)
    if("${artifact}" STREQUAL "" OR "${artifact}" MATCHES "^(${model_refused_${index}_artifacts})$")
      set(${out} ", since ${model_refused_${index}_why}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
