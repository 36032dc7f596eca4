# SPDX-License-Identifier: BSD-3-Clause
# A wheel: pip installs it into a new virtual environment, then a program runs, the console scripts, and a C++ program
# that is compiled with its CMake package. With TSB_PUBLISHED what it requires may come with it, from TSB_EXTRA_INDEX of
# the environment.
#
# A wheel whose libraries come from other wheels (`consumer` of a backend, `library_wheels`) cannot even be imported
# without those: then it is installed, and not used.
set(TSB_PYTHON "" CACHE FILEPATH "The interpreter that it is for, which can make a virtual environment with pip")
set(
  TSB_PINNED "" CACHE PATH
                      "What it requires, each file with its hash (releases/<version>/wheel_check); nothing else is"
)
set(TSB_WHEELS "" CACHE PATH "A folder with such files; what is missing in it comes from pip's index")
set(TSB_MODULES "" CACHE PATH "Python modules for when what it requires cannot be installed")
set(TSB_UV "" CACHE FILEPATH "This uv installs it, and not pip")
set(TSB_OFFICIAL "" CACHE FILEPATH "RECORD of the official wheel that it was made of: no file of that may be missing")
set(checks "${TSB_CONSUMER}/wheel_checks.py")
has(TSB_PYTHON checks)
set(place venv)
set(labels wheel)
if(TSB_COMPILER)
  list(APPEND environment "CXX=${TSB_COMPILER}")
endif()
set(bin "${CMAKE_BINARY_DIR}/venv/bin")
set(here "${CMAKE_CURRENT_SOURCE_DIR}")

check(make COMMAND "${TSB_PYTHON}" -m venv "${CMAKE_BINARY_DIR}/venv")
set(wheel "${TSB_PACKAGE}")
set(install "${bin}/python" -m pip install)
if(TSB_UV)
  set(install "${TSB_UV}" pip install --no-cache --index-strategy unsafe-best-match --python "${bin}/python")
endif()
set(from "--no-index --no-deps")
if(NOT "$ENV{TSB_PUBLISHED}" STREQUAL "")
  string(REGEX REPLACE "^([^-]+)-([^-]+)-.*" "\\1==\\2" wheel "${package_name}")
  set(from "--index-url \"$TSB_PUBLISHED\" --no-deps")
  if(NOT "$ENV{TSB_EXTRA_INDEX}" STREQUAL "")
    set(from "--index-url \"$TSB_PUBLISHED\" --extra-index-url \"$TSB_EXTRA_INDEX\"")
  endif()
endif()
check(install AFTER make COMMAND sh -c "exec \"$@\" ${from}" sh ${install} "${wheel}")
if(EXISTS "${TSB_OFFICIAL}")
  check(files AFTER install COMMAND "${bin}/python" "${here}/compare_files.py" "${TSB_OFFICIAL}")
endif()

# What could not be installed, or not be used for want of it, stands in these files.
set(no_dependencies UNLESS "no dependencies")
set(no_libraries AFTER dependencies UNLESS "no libraries")
set(
  pinned "${bin}/python" -B "${here}/../../engine" "${here}/install_requirements.py" "--wheels=${TSB_WHEELS}"
         "--index=${index}"
)
if(NOT "$ENV{TSB_EXTRA_INDEX}" STREQUAL "")
  check(dependencies AFTER install COMMAND echo "installed with the wheel")
else()
  check(
    dependencies AFTER install COMMAND ${pinned} "--modules=${TSB_MODULES}" "--gpus=${TSB_GPUS}"
    "--of-wheel=${TSB_PINNED}" "${CMAKE_BINARY_DIR}"
  )
endif()
check("pip check" AFTER dependencies ${no_dependencies} COMMAND "${bin}/python" -m pip check)
if(EXISTS "${TSB_PINNED}/beside.txt")
  check(beside AFTER dependencies ${no_dependencies} COMMAND ${pinned} "${TSB_PINNED}/beside.txt")
endif()

set(gpus "")
if(TSB_GPUS)
  set(gpus --gpus ${TSB_GPUS})
endif()
check(
  run ${no_libraries} REPORTS COMMAND "${bin}/python" -B "${here}/../../engine" "${checks}" --without-dependencies
  ${gpus}
)
check(scripts ${no_libraries} COMMAND "${bin}/python" "${here}/run_scripts.py")
check_program(program "venv/lib/python3*/site-packages/torch/share/cmake" ${no_libraries})
