# SPDX-License-Identifier: BSD-3-Clause
# Which Python, or why none.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tool(python3.99 "echo '3.99.0||/somewhere/python3.99'")
tool(old "echo '3.8.10||/old'")
tool(bare "echo '3.11.2|yaml and typing_extensions|/bare'")
tool(broken "exit 1")

doctor(TSB_PYTHON=${bin}/python3.99 ARGUMENTS CHECKS python)
passes("-- python 3.99.0 (/somewhere/python3.99)" "-- TSB_CODEGEN_PYTHON is [/somewhere/python3.99]")

# One that was asked for by name is not replaced in silence.
foreach(case IN ITEMS "old is 3.8.10" "bare lacks yaml and typing_extensions" "broken does not run")
  string(REGEX MATCH "^[a-z]+" name "${case}")
  doctor(TSB_PYTHON=${name} ARGUMENTS CHECKS python)
  fails(
    1 "python: 3.9 or newer with the modules yaml and typing_extensions is needed, but ${bin}/${case}"
    "-> correct TSB_PYTHON or unset it"
  )
endforeach()

# The first on the PATH comes first; when it does not do, the next is taken, and the real one is seen as it is.
file(RENAME ${bin}/bare ${bin}/python3)
doctor(ARGUMENTS CHECKS python)
if(status EQUAL 0)
  tsb_expect("another Python" LACKS "${output}" "[/bare]")
else()
  tsb_expect("the first" CONTAINS "${output}" "but ${bin}/python3 lacks yaml and typing_extensions")
endif()
tool(python3 "echo '3.10.1||/first'")
doctor(ARGUMENTS CHECKS python)
passes("-- TSB_CODEGEN_PYTHON is [/first]")

# Modules that only this shell's environment has are none of the packages'.
tool(python3 "[ -n \"$PYTHONPATH\" ] && echo '3.10.1||/first' || echo '3.10.1|yaml|/first'")
doctor(PYTHONPATH=/modules TSB_PYTHON=python3 ARGUMENTS CHECKS python)
fails(
  1 "but ${bin}/python3 lacks yaml -> correct TSB_PYTHON or unset it"
  "-> what only PYTHONPATH or LD_LIBRARY_PATH finds does not count: packages do not get them"
)
