# SPDX-License-Identifier: BSD-3-Clause
# A made-up processor whose file is found through TSB_ADDITIONS and nothing else: what `uname -m` says chooses it. The
# machine compiles as before.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
set(tree "${WORK}/target")
copy_tree("${tree}")
set(bin "${TSB_TEST_DIR}/bin")
file(WRITE "${bin}/uname" "#!/bin/sh\n[ \"$*\" != -m ] || exec echo madeup64\nexec /usr/bin/uname \"$@\"\n")
file(CHMOD "${bin}/uname" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(environment "PATH=${bin}:$ENV{PATH}" PIP_NO_INDEX=1)

run_in("${tree}" ENVIRONMENT ${environment} COMMAND "${CMAKE_COMMAND}" --preset ${preset})
bad(
  "an unknown processor" "processor: this machine's is 'madeup64', and only these are known: x86_64"
  "build on one of those, or describe this one in targets/madeup64.json"
)

# The stand-in has only MKL, which is not this processor's default: its name is in the version.
set(preset mine)
file(
  WRITE "${tree}/CMakeUserPresets.json"
  [[{"version": 6, "include": ["CMakePresets.json"],
  "configurePresets": [{"name": "mine", "inherits": "cpu-libtorch-shared", "cacheVariables": {"TSB_BLAS": "mkl"}}],
  "buildPresets": [
    {"name": "mine", "configurePreset": "mine"}, {"name": "check", "configurePreset": "mine", "targets": "check"}],
  "packagePresets": [{"name": "mine", "inherits": "base", "configurePreset": "mine"}],
  "workflowPresets": [{"name": "mine", "steps": [
    {"type": "configure", "name": "mine"}, {"type": "build", "name": "mine"}, {"type": "package", "name": "mine"},
    {"type": "build", "name": "check"}]}]}]]
)
list(APPEND environment "TSB_ADDITIONS=${TSB_SOURCE_DIR}/tests/fixtures/additions-target")
workflow("${tree}" ENVIRONMENT ${environment})
good("the workflow")
tsb_expect("the doctor" CONTAINS "${output}" "a made-up processor")
tsb_expect(
  "the zip" CONTAINS "${output}"
  "${tree}/dist/libtorch-cxx11-abi-shared-with-deps-${pytorch}+cpu.mkl.zip has passed all checks"
)
file(READ "${tree}/build/mine/packages/sleef/package.json" package)
string(JSON toolchain GET "${package}" toolchain)
tsb_expect("the store's key" CONTAINS "${toolchain}" "madeup64")
file(READ "${tree}/build/mine/packages/pytorch/package.json" package)
string(JSON options GET "${package}" options)
tsb_expect("groups of another processor" CONTAINS "${options}" "TSB_UNITY=OFF")
