# SPDX-License-Identifier: BSD-3-Clause
# Each of the style tests fails on a tree that has what it looks for.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(root ${TSB_TEST_DIR}/root)
file(COPY ${TSB_SOURCE_DIR}/.clang-format DESTINATION ${root})
file(WRITE ${root}/bootstrap.sh "#!/bin/sh\necho $1\n")
file(WRITE ${root}/.ci/run "#!/bin/sh\n# SPDX-License-Identifier: BSD-3-Clause\n:\n")
file(WRITE ${root}/a.cpp "// SPDX-License-Identifier: BSD-3-Clause\nint  main ( ){return 0;}\n")
string(CONCAT path "/ho" "me/somebody/x")
file(WRITE ${root}/docs/d.txt "in \${dir}/work/a and <dir>/root/x and /home/builder/x\nin \"${path}\"\n")

function(expect_fault script part)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -DTSB_SOURCE_DIR=${root} -P ${CMAKE_CURRENT_LIST_DIR}/${script}.cmake
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  if(output MATCHES "(^|\n)SKIP: ")
    return()
  endif()
  tsb_expect("status of ${script}" EQUAL "${status}" 1)
  tsb_expect(${script} CONTAINS "${output}" "${part}")
  set(output "${output}" PARENT_SCOPE)
endfunction()
expect_fault(clang_format "a.cpp:2:4: error: code should be clang-formatted")
expect_fault(shellcheck "SC2086")
expect_fault(licence "bootstrap.sh")
tsb_expect("licence" LACKS "${output}" "a.cpp")
expect_fault(no_machine_paths "docs/d.txt: in \"${path}\"")
tsb_expect("paths" LACKS "${output}" "<dir>")
