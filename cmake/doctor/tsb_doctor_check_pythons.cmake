# SPDX-License-Identifier: BSD-3-Clause
# The Pythons that artifacts are made for; asked only for such artifacts. Reads doctor_PYTHONS, their versions.
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_find_python.cmake)

function(tsb_doctor_check_pythons)
  foreach(version IN LISTS doctor_PYTHONS)
    tsb_find_python(${version} EXECUTABLE python DESCRIPTION description ERROR error)
    if(error STREQUAL "")
      z_tsb_doctor_good("python for the artifact: ${description} (${python})")
    else()
      string(REPLACE "." "" tag "${version}")
      z_tsb_doctor_install(remedy "python${version}-dev python${version}-venv" "python${version}-devel")
      z_tsb_doctor_problem(
        "python: the artifact is for CPython ${version} with its headers, but ${error}"
        "${remedy}; or, where the system has none: uv python install ${version}; or name one in TSB_PYTHON_${tag}"
      )
    endif()
  endforeach()
endfunction()
