# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

function(z_tsb_cuda_needs result debug_info artifacts)
  list(LENGTH artifacts count)
  # A wheel takes 5 GB, the virtual environment of its check 7 GB for the time being. The others are estimated: NVIDIA's
  # wheels unpack to 3 GB, which are there once more installed and in the store, and in each artifact.
  set(each 6000)
  set(store 1600)
  set(sources 1000) # measured, as the other one: 750
  if("${artifacts}" MATCHES "libtorch")
    set(each 7000)
    set(store 5000)
    set(sources 3700) # 2,797
  endif()
  math(EXPR build "${store} + 4000 + ${each} * ${count}")
  set(${result} ${build} ${store} ${sources} PARENT_SCOPE)
endfunction()
