# SPDX-License-Identifier: BSD-3-Clause
# The workflow runs in the project's folder, without variables for Python and empty ones of AWS, and its exit status is
# bootstrap.sh's.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tools_of_all_kinds()
tool(apt-get)
tool(apt-cache)
tool(pwd "/bin/pwd")
tool(cmake "case $1 in --version) echo cmake version 3.25.1 ;; *) pwd; env; exit 7 ;; esac")
set(ENV{PYTHONHOME} /nowhere)
set(ENV{PYTHONSAFEPATH} 1)
set(ENV{AWS_ENDPOINT_URL} "")
set(ENV{AWS_REGION} here)
bootstrap(cpu-libtorch-shared)
tsb_expect("status" EQUAL "${status}" 7)
tsb_expect("the call" CONTAINS "${calls}" "cmake --workflow --preset cpu-libtorch-shared")
tsb_expect("the folder" CONTAINS "${output}" "${copy}")
tsb_expect("the environment" LACKS "${output}" PYTHONHOME PYTHONSAFEPATH AWS_ENDPOINT_URL)
tsb_expect("the environment" CONTAINS "${output}" "AWS_REGION=here")
bootstrap(--test)
tsb_expect("the call" CONTAINS "${calls}" "cmake --workflow --preset tests")
bootstrap(--install-only cpu-libtorch-shared)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("no run" LACKS "${calls}" "--workflow")

# Settings count for this run, CMake's own variables stay in the build folder.
bootstrap(-D "TSB_STORE:PATH=a b's" cpu-all TSB_JOBS=3 CMAKE_CXX_COMPILER=g++-12 "-DCMAKE_C_COMPILER=a b")
tsb_expect("status" EQUAL "${status}" 7)
tsb_expect(
  "the configure" CONTAINS "${calls}" "cmake --preset cpu-all -DCMAKE_CXX_COMPILER=g++-12 -DCMAKE_C_COMPILER=a b"
)
tsb_expect("it has failed" LACKS "${calls}" "--workflow")
tsb_expect("the environment" CONTAINS "${output}" "TSB_JOBS=3\n" "TSB_STORE=a b's\n")
bootstrap(cpu-all TSB_JOBS=3)
tsb_expect("the environment" CONTAINS "${output}" "TSB_JOBS=3\n")
tsb_expect("nothing to configure before" CONTAINS "${calls}" "cmake --workflow --preset cpu-all")
tsb_expect("nothing to configure before" LACKS "${calls}" "cmake --preset")
file(REMOVE ${bin}/unzip)
bootstrap(cpu-all TSB_OFFLINE=ON)
tsb_expect_end(4 "TSB_OFFLINE is set: install them")
tool(unzip)

# Words that run something else.
bootstrap(doctor cu124-all TSB_JOBS=2)
tsb_expect(
  "doctor" CONTAINS "${calls}"
  "cmake -DTSB_BACKEND=cu124 -DTSB_ARTIFACTS=all -DCMAKE_BINARY_DIR=${copy}/build/cu124-all -DTSB_PRESET=cu124-all -P cmake/doctor/doctor.cmake"
)
tsb_expect("doctor" CONTAINS "${output}" "TSB_JOBS=2\n")
bootstrap(settings)
tsb_expect("settings" CONTAINS "${calls}" "cmake -P cmake/settings/list_settings.cmake")
tool(git "case $1 in describe) echo 1234567 ;; esac")
bootstrap(--version)
tsb_expect_end(0 "torch-superbuild 1234567")
tool(git "echo 'fatal: not a git repository' >&2\nexit 128")
bootstrap(--version)
tsb_expect_end(128 "not a git repository")
