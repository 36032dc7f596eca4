# SPDX-License-Identifier: BSD-3-Clause
# What is taken out of PyTorch's install tree: static libraries, and headers that the tree's setup.py does not take.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)

# removed(<what> <out-var>): the files that are left of an install tree.
function(removed what out)
  set(box "${TSB_TEST_DIR}/${what}")
  file(WRITE "${box}/install/lib/libfmt.a" "")
  file(WRITE "${box}/install/lib/libc10.so" "")
  file(WRITE "${box}/install/include/asmjit/core.h" "")
  file(WRITE "${box}/install/include/fbgemm/Fbgemm.h" "")
  file(WRITE "${box}/install/include/fmt/core.h" "")
  tsb_run(
    status output "${CMAKE_COMMAND}" "-DTSB_SOURCE_DIR=${box}" "-DTSB_INSTALL_DIR=${box}/install" -P
    "${TSB_SOURCE_DIR}/superbuild/pytorch/remove_third_party_files.cmake"
  )
  tsb_expect("${output}" EQUAL "${status}" 0)
  file(GLOB_RECURSE files RELATIVE "${box}/install" "${box}/install/*")
  set(${out} "${files}" PARENT_SCOPE)
endfunction()

set(few "include/fmt/core.h;lib/libc10.so")
set(all "include/asmjit/core.h;include/fbgemm/Fbgemm.h;${few}")
file(WRITE "${TSB_TEST_DIR}/folders/setup.py" [["include/*.h", "include/ATen/*.h"]])
removed(folders files)
tsb_expect("setup.py names folders, as up to 2.7" EQUAL "${files}" "${few}")
file(WRITE "${TSB_TEST_DIR}/each/setup.py" [["include/*.h", "include/**/*.h"]])
removed(each files)
tsb_expect("setup.py takes all headers, as from 2.8 on" EQUAL "${files}" "${all}")
removed(none files)
tsb_expect("no setup.py, as from 2.14 on" EQUAL "${files}" "${all}")
