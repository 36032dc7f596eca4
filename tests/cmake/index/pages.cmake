# SPDX-License-Identifier: BSD-3-Clause
# The pages say what installers and people want to know. A second run changes nothing, and forgets what is gone.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_index(0)
expect_json(simple/index.json "[]" projects)
file(READ "${dist}/SHA256SUMS" sums)
tsb_expect("SHA256SUMS of an empty folder" EQUAL "${sums}" "")

set(wheel demo_package-1.0+cpu-py3-none-any.whl)
add_wheel(demo_package 1.0+cpu ${wheel})
add_wheel(Other._Project 2 other_project-2-py3-none-any.whl)
file(MAKE_DIRECTORY "${TSB_TEST_DIR}/nothing")
stored_zip("${dist}/libtorch-2.6.0+cpu & ä.zip" "${TSB_TEST_DIR}/nothing")
make_index(0)
tsb_expect("the summary" CONTAINS "${output}" "a dist: 1 zips, 2 wheels of 2 projects, 0 conda packages")
file(SIZE "${dist}/${wheel}" size)
file(SHA256 "${dist}/${wheel}" sha256)
file(SHA256 "${dist}/${wheel}.metadata" metadata)
file(SHA256 "${TSB_TEST_DIR}/wheels/demo_package-1.0+cpu/demo_package-1.0+cpu.dist-info/METADATA" expected)
tsb_expect("METADATA beside the wheel" EQUAL ${metadata} ${expected})
expect_json(simple/index.json demo-package projects 0 name)
expect_json(simple/index.json other-project projects 1 name)
set(page simple/demo-package/index.json)
expect_json(${page} 1.0+cpu versions 0)
expect_json(${page} ${wheel} files 0 filename)
expect_json(${page} ../../demo_package-1.0%2Bcpu-py3-none-any.whl files 0 url)
expect_json(${page} ${size} files 0 size)
expect_json(${page} ">=3.8,<4" files 0 requires-python)
expect_json(${page} ${sha256} files 0 hashes sha256)
expect_json(${page} ${metadata} files 0 core-metadata sha256)
file(READ "${dist}/simple/demo-package/index.html" html)
tsb_expect("the page" CONTAINS "${html}" "data-requires-python=\"&gt;=3.8,&lt;4\"")
tsb_expect("the page" CONTAINS "${html}" "data-core-metadata=\"sha256=${metadata}\"")
tsb_expect("the page" CONTAINS "${html}" "#sha256=${sha256}")
file(READ "${dist}/index.html" html)
tsb_expect("the list" CONTAINS "${html}" "libtorch-2.6.0%2Bcpu%20%26%20%C3%A4.zip#")
tsb_expect("the list" CONTAINS "${html}" ">libtorch-2.6.0+cpu &amp; ä.zip</a></td><td>22 B</td>")
tsb_expect("the list" CONTAINS "${html}" "index for pip and uv")
execute_process(
  COMMAND sha256sum --check --strict SHA256SUMS WORKING_DIRECTORY "${dist}" COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET
)

# snapshot(<variable>): name, time and content of every file.
function(snapshot out)
  file(GLOB_RECURSE files "${dist}/*")
  set(text "")
  foreach(file IN LISTS files)
    file(TIMESTAMP "${file}" time "%s")
    file(SHA256 "${file}" sum)
    string(APPEND text "${file} ${time} ${sum}\n")
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
snapshot(first)
make_index(0)
snapshot(second)
tsb_expect("a second run" EQUAL "${second}" "${first}")
file(REMOVE "${dist}/other_project-2-py3-none-any.whl")
file(WRITE "${dist}/simple/of somebody else/file.txt" "stays\n")
make_index(0)
tsb_expect("a project that is gone" ABSENT "${dist}/simple/other-project")
tsb_expect("METADATA of what is gone" ABSENT "${dist}/other_project-2-py3-none-any.whl.metadata")
tsb_expect("somebody else's file" EXISTS "${dist}/simple/of somebody else/file.txt")
file(READ "${dist}/simple/index.json" projects)
tsb_expect("the projects" LACKS "${projects}" "other-project")

# What ends it in the middle of writing a page.
set(
  script
  "import make_index, os, signal, sys
number, replace = getattr(signal, sys.argv.pop()), os.replace
os.replace = lambda *names: (signal.raise_signal(number), replace(*names))
make_index.run_interruptible(make_index.main)"
)
foreach(signal IN ITEMS SIGTERM SIGINT SIGHUP)
  file(REMOVE "${dist}/simple/index.html")
  tsb_run(
    status output "${CMAKE_COMMAND}" -E env "PYTHONPATH=${TSB_SOURCE_DIR}/packaging/index" "${python}" -B -c
    "${script}" "${dist}" ${signal}
  )
  tsb_expect("${signal}" ENDS "${status}" bad)
  tsb_expect("words after ${signal}" EQUAL "${output}" "")
  tsb_expect("the page" ABSENT "${dist}/simple/index.html")
  file(GLOB_RECURSE partial "${dist}/*.partial*")
  tsb_expect("what is left after ${signal}" EQUAL "${partial}" "")
endforeach()

# Pages of somebody else.
file(WRITE "${dist}/simple/other/index.html" "stays\n")
file(WRITE "${dist}/simple/other/index.json" "stays\n")
make_index(0)
tsb_expect("somebody else's page" EXISTS "${dist}/simple/other/index.html")
tsb_expect("somebody else's page" EXISTS "${dist}/simple/other/index.json")
add_wheel(other 2 other-2-py3-none-any.whl)
file(WRITE "${dist}/index.html" "stays\n")
make_index(3)
tsb_expect(
  "the error" CONTAINS "${output}"
  "error: not written by make_index.py, so left alone: ${dist}/index.html, ${dist}/simple/other/index.html\nremedy: move"
)
file(READ "${dist}/index.html" html)
tsb_expect("somebody else's page" EQUAL "${html}" "stays\n")
tsb_expect("METADATA, as nothing is written" ABSENT "${dist}/other-2-py3-none-any.whl.metadata")
