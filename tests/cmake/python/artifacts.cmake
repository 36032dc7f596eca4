# SPDX-License-Identifier: BSD-3-Clause
# A preset of one Python keeps its artifact, whatever the machine has; one that makes everything takes what is there.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/python/tsb_artifact_pythons.cmake)
set(python "${TSB_TEST_DIR}/python")
file(WRITE "${python}" "#!/bin/sh\necho 'CPython|3.11|3.11.7||headers|cpython-311|${python}'\n")
file(CHMOD "${python}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(ENV{TSB_PYTHON_311} "${python}")
set(ENV{TSB_PYTHON_313} "${TSB_TEST_DIR}/nothing")

tsb_artifact_pythons(artifacts versions cpu-wheel-py313 wheel-py313)
tsb_expect("artifacts of one Python" EQUAL "${artifacts}" wheel-py313)
tsb_expect("its version" EQUAL "${versions}" 3.13)

tsb_artifact_pythons(artifacts versions cpu-all libtorch-shared-with-deps wheel-py311 wheel-py313 conda-py311)
tsb_expect("artifacts of all" EQUAL "${artifacts}" "libtorch-shared-with-deps;wheel-py311;conda-py311")
tsb_expect("their versions" EQUAL "${versions}" 3.11)

tsb_artifact_pythons(artifacts versions cu124-all wheel-py311 wheel-py311-large wheel-py313-large)
tsb_expect("artifacts of all" EQUAL "${artifacts}" "wheel-py311;wheel-py311-large")
tsb_expect("their versions" EQUAL "${versions}" 3.11)

set(ENV{TSB_PYTHONS} 3.11)
tsb_artifact_pythons(artifacts versions cpu-all wheel-py311 wheel-py313 conda-libtorch conda-py311 conda-py313)
tsb_expect("artifacts of the chosen one" EQUAL "${artifacts}" "wheel-py311;conda-libtorch;conda-py311")
tsb_artifact_pythons(artifacts versions cpu-wheel-py313 wheel-py313)
tsb_expect("artifacts of a preset of one" EQUAL "${artifacts}" wheel-py313)
set(ENV{TSB_PYTHONS} "3.11, 3.13") # 3.13 is not there: the doctor says so
tsb_artifact_pythons(artifacts versions cpu-all wheel-py311 wheel-py313)
tsb_expect("versions of the chosen ones" EQUAL "${versions}" "3.11;3.13")
set(ENV{TSB_PYTHONS} none)
tsb_artifact_pythons(artifacts versions cpu-all libtorch-shared-with-deps wheel-py311 conda-libtorch conda-py311)
tsb_expect("artifacts of none" EQUAL "${artifacts}" "libtorch-shared-with-deps;conda-libtorch")
unset(ENV{TSB_PYTHONS})

tsb_artifact_pythons(artifacts versions cpu-libtorch-shared libtorch-shared-with-deps)
tsb_expect("no Python" EQUAL "${versions}" "")
