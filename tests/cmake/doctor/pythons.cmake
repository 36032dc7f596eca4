# SPDX-License-Identifier: BSD-3-Clause
# The Python that an artifact is for: exactly that one, with its headers, or why none.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
set(headers "headers|cpython-399-x86_64-linux-gnu|/somewhere/python3.99")
function(pythons)
  doctor("HOME=${TSB_TEST_DIR}" --unset=PYENV_ROOT ${ARGN} ARGUMENTS CHECKS pythons PYTHONS 3.99)
  return(PROPAGATE status output)
endfunction()

tool(good "echo 'CPython|3.99|3.99.7||${headers}'")
tool(newer "echo 'CPython|3.98|3.98.1||${headers}'")
tool(pypy "echo 'PyPy|3.99|3.99.1||${headers}'")
tool(debug "echo 'CPython|3.99|3.99.7|d|${headers}'")
tool(bare "echo 'CPython|3.99|3.99.7|||cpython-399-x86_64-linux-gnu|/bare'")
tool(broken "exit 1")

pythons(TSB_PYTHON_399=${bin}/good)
passes("-- python for the artifact: CPython 3.99.7 cpython-399-x86_64-linux-gnu (/somewhere/python3.99)")

# One that was asked for by name is not replaced in silence, although the path has a good one.
tool(python3.99 "echo 'CPython|3.99|3.99.7||${headers}'")
foreach(
  case IN
  ITEMS
    "newer is Python 3.98.1" "pypy is PyPy, not CPython"
    "debug is a debug or free-threaded build (its ABI flags are 'd')" "bare has no headers (Python.h)"
    "broken does not run"
)
  string(REGEX MATCH "^[a-z]+" name "${case}")
  pythons(TSB_PYTHON_399=${name})
  fails(
    1 "python: the artifact is for CPython 3.99 with its headers, but ${bin}/${case}" "or name one in TSB_PYTHON_399"
  )
endforeach()
pythons(TSB_PYTHON_399=/nowhere/python)
fails(1 "TSB_PYTHON_399 names /nowhere/python, and there is no such program")

# Found by its name on the path.
pythons()
passes("(/somewhere/python3.99)")

# Where the path's does not do, what pyenv has.
set(pyenv "${TSB_TEST_DIR}/.pyenv/versions/3.99.7/bin")
file(MAKE_DIRECTORY "${pyenv}")
file(COPY_FILE ${bin}/good "${pyenv}/python3.99")
file(REMOVE ${bin}/python3.99)
file(RENAME ${bin}/bare ${bin}/python3.99)
pythons()
passes("(/somewhere/python3.99)")
