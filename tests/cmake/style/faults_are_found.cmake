# SPDX-License-Identifier: BSD-3-Clause
# Each of the style tests fails on a tree that has what it looks for.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(root ${TSB_TEST_DIR}/root)
file(
  COPY ${TSB_SOURCE_DIR}/.clang-format ${TSB_SOURCE_DIR}/.clang-tidy ${TSB_SOURCE_DIR}/.cmake-format.py
       ${TSB_SOURCE_DIR}/ruff.toml DESTINATION ${root}
)
file(WRITE ${root}/bootstrap.sh "#!/bin/sh\necho $1\n")
file(WRITE ${root}/.ci/run "#!/bin/sh\n# SPDX-License-Identifier: BSD-3-Clause\n:\n")
file(WRITE ${root}/a.cpp "// SPDX-License-Identifier: BSD-3-Clause\nint  main ( ){return 0;}\n")
string(CONCAT path "/ho" "me/somebody/x")
file(MAKE_DIRECTORY ${root}/cmake ${root}/packaging ${root}/presets ${root}/superbuild ${root}/tests/cmake)
file(WRITE ${root}/a.py "# SPDX-License-Identifier: BSD-3-Clause\nimport os\n")
string(REPEAT "long " 24 long)
file(
  WRITE ${root}/a.cmake
  "# SPDX-License-Identifier: BSD-3-Clause\nset( a  1 )\n#[[\n${long}\n${long}.\n#]]\n# ${long}\n"
)
# In pieces, as above: what is allowed looks like a machine's path to a plain search of this file.
string(CONCAT allowed "\${dir}/wo" "rk/a and <dir>/ro" "ot/x and /ho" "me/builder/x")
file(WRITE ${root}/docs/d.txt "in ${allowed}\nin \"${path}\"\n")

set(
  tidy_source
  "// SPDX-License-Identifier: BSD-3-Clause\nint* f();\nint* f() {\n  int x;\n  return x == 0 ? 0 : &x;\n}\n"
)
file(WRITE ${root}/tidy.cpp "${tidy_source}")
file(
  WRITE ${TSB_TEST_DIR}/build/compile_commands.json
  "[{\"directory\": \"${root}\", \"file\": \"${root}/tidy.cpp\", \"command\": \"c++ -c ${root}/tidy.cpp\"}]\n"
)

function(expect_fault script part)
  tsb_run(
    status output ${CMAKE_COMMAND} -DTSB_SOURCE_DIR=${root} -DTSB_TEST_DIR=${TSB_TEST_DIR}
    -DBUILD_DIR=${TSB_TEST_DIR}/build -DTOOLS=${TOOLS} -P ${CMAKE_CURRENT_LIST_DIR}/${script}.cmake
  )
  if(output MATCHES "(^|\n)SKIP: ")
    return()
  endif()
  tsb_expect("status of ${script}" EQUAL "${status}" 1)
  tsb_expect(${script} CONTAINS "${output}" "${part}")
  set(output "${output}" PARENT_SCOPE)
endfunction()
expect_fault(clang_format "a.cpp:2:4: error: code should be clang-formatted")
set(ENV{TSB_CLANG_TIDY} ON)
expect_fault(clang_tidy "variable 'x' is not initialized")
# Without it what has changed since the last commit: nothing, then this file, then a header that it includes.
unset(ENV{TSB_CLANG_TIDY})
set(git git -C ${root} -c user.name=a -c user.email=a@example.org)
file(WRITE ${root}/tidy.h "// SPDX-License-Identifier: BSD-3-Clause\n")
file(WRITE ${root}/tidy.cpp "#include \"tidy.h\"\n${tidy_source}")
foreach(words IN ITEMS "init;--quiet" "add;tidy.cpp;tidy.h" "commit;--quiet;-m;a" "commit;--quiet;--allow-empty;-m;b")
  execute_process(COMMAND ${git} ${words} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
set(
  tidy ${CMAKE_COMMAND} -DTSB_SOURCE_DIR=${root} -DTSB_TEST_DIR=${TSB_TEST_DIR} -DBUILD_DIR=${TSB_TEST_DIR}/build -P
       ${CMAKE_CURRENT_LIST_DIR}/clang_tidy.cmake
)
tsb_run(status output ${tidy})
tsb_expect("nothing has changed" EQUAL "${status}" 0)
if(NOT output MATCHES "SKIP: ") # no clang-tidy 14
  tsb_expect("a stamp" EXISTS ${root}/build/clang-tidy-passed)
  file(APPEND ${root}/tidy.h "// more\n")
  expect_fault(clang_tidy "variable 'x' is not initialized")
  file(APPEND ${root}/tidy.cpp "// more\n")
  expect_fault(clang_tidy "variable 'x' is not initialized")
  file(WRITE ${root}/build/clang-tidy-passed 0123456789)
  # Not by tsb_run, which prints it: CTest would take this test for skipped.
  execute_process(COMMAND ${tidy} OUTPUT_VARIABLE output ERROR_VARIABLE output)
  tsb_expect("a commit that is gone" CONTAINS "${output}" "SKIP: git does not know what has changed since 0123456789")
endif()
expect_fault(cmake_format "a.cmake")
expect_fault(comment_width "a.cmake:5 a.cmake:7 ")
expect_fault(ruff "`os` imported but unused")
expect_fault(shellcheck "SC2086")
expect_fault(licence "bootstrap.sh")
tsb_expect("licence" LACKS "${output}" "a.cpp")
file(CREATE_LINK d.txt ${root}/docs/link.txt SYMBOLIC)
expect_fault(no_links "docs/link.txt")
expect_fault(no_machine_paths "docs/d.txt: in \"${path}\"")
tsb_expect("paths" LACKS "${output}" "<dir>")
file(WRITE ${root}/docs/e.md "The run ends\nwell. There is no other.\n")
file(WRITE ${root}/b.cmake "function(f)\n  return(PROPAGATE x)\nendfunction()\n")
expect_fault(newest_cmake "b.cmake has return(PROPAGATE)")
expect_fault(english "docs/e.md: ' ends well.")
tsb_expect("english" LACKS "${output}" "is not a")
