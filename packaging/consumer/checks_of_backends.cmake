# SPDX-License-Identifier: BSD-3-Clause
# What a package for GPUs has besides: the checks of each backend, which looks whether the package is one of its own.
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/data/tsb_list_data.cmake")
set(TSB_ADDITIONS "$ENV{TSB_ADDITIONS}") # from the check
tsb_list_data(kinds backends)
foreach(kind IN LISTS kinds)
  tsb_find_data(of_backend "backends/${kind}/consumer/checks.cmake")
  if(of_backend)
    include("${of_backend}")
  endif()
endforeach()
