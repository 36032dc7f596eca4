# SPDX-License-Identifier: BSD-3-Clause
# What METADATA requires, in conda's words. The stand-in for setuptools has pip's module packaging.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
find_program(python python3 REQUIRED)
# requirements(<out-var> <lines>): of a METADATA with these lines; also sets `result`.
function(requirements out lines)
  file(
    WRITE "${TSB_TEST_DIR}/METADATA"
    "Metadata-Version: 2.4\nName: torch\nVersion: 2.6.0+cpu\n${lines}\nRequires-Dist: not-this\n"
  )
  execute_process(
    COMMAND
      "${CMAKE_COMMAND}" -E env "PYTHONPATH=${TSB_SOURCE_DIR}/tests/fixtures/setuptools-stand-in"
      PYTHONDONTWRITEBYTECODE=1 "${python}" "${TSB_SOURCE_DIR}/packaging/conda/requirements.py"
      "${TSB_TEST_DIR}/METADATA"
    OUTPUT_VARIABLE output
    ERROR_VARIABLE error
    RESULT_VARIABLE result
  )
  set(${out} "${output}${error}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()

requirements(
  output
  [[
Requires-Dist: filelock
Requires-Dist: typing-extensions>=4.10.0
Requires-Dist: sympy==1.13.1 ; python_version >= "3.9"
Requires-Dist: windows-only ; platform_system == "Windows"
Requires-Dist: opt-einsum>=3.3 ; extra == "opt-einsum"
]]
)
tsb_expect("what holds" EQUAL "${output}" "filelock\ntyping_extensions >=4.10.0\nsympy ==1.13.1\n")
requirements(output "Requires-Dist: demo @ https://example.org/demo.whl\n")
tsb_expect("a URL" EQUAL ${result} 1)
tsb_expect("a URL" CONTAINS "${output}" "a conda package cannot depend on a URL")
