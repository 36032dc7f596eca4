# SPDX-License-Identifier: BSD-3-Clause
# packaging/conda/consumer_check.cmake with a client of a few lines in rattler's place. CASE: what happens; BREAK: what
# is wrong.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
find_program(python python3 REQUIRED)

# A py-rattler that "installs" what lies in a folder.
set(tree "${TSB_TEST_DIR}/client")
file(WRITE "${tree}/rattler/exceptions.py" "class GatewayError(Exception): pass\nclass SolverError(Exception): pass\n")
file(
  WRITE "${tree}/rattler/__init__.py"
  "import shutil, sys
from .exceptions import GatewayError, SolverError
PackageName = Version = str
class GenericVirtualPackage:
    def __init__(self, name, version, build):
        self.name = self
        self.normalized, self.version = name, version
class VirtualPackage:
    def __init__(self, *values): self.values = values
    def into_generic(self): return GenericVirtualPackage(*self.values, '0')
    @staticmethod
    def detect(overrides):
        return [VirtualPackage('__linux', '6.1'), VirtualPackage('__hip' if '${CASE}' == 'driver' else '__unix', '6.0')]
class Record:
    file_name = 'a-1.0-0.conda'
async def solve(sources, specs, virtual_packages):
    if any('secret' in word for word in sys.argv): raise SolverError('everybody can see it')
    print(specs, sources, [package.normalized + '=' + package.version for package in virtual_packages])
    if '${CASE}' == 'gateway': raise GatewayError('no such host')
    if '${BREAK}${CASE}' == 'solver': raise SolverError('nothing provides it')
    return [Record()]
class Gateway:
    async def query(self, channels, platforms, specs, recursive):
        print('alone', specs)
        return [[Record()]]
async def install(records, target_prefix, cache_dir, show_progress):
    shutil.copytree('${TSB_TEST_DIR}/installed', target_prefix)
"
)
file(
  WRITE "${tree}/rattler/virtual_package.py"
  "class VirtualPackageOverrides:
    @classmethod
    def from_env(cls): return cls()
"
)
set(ENV{TSB_CONDA_CHANNEL} "https://user:secret@secret@a-channel/t/secret/x")
unset(ENV{TSB_OFFLINE})
if(CASE MATCHES "^offline")
  set(ENV{TSB_OFFLINE} 1)
endif()
if(BREAK STREQUAL "offline")
  set(ENV{TSB_OFFLINE} enabled)
endif()
if(CASE STREQUAL "offline-folder")
  set(ENV{TSB_CONDA_CHANNEL} "file://${TSB_TEST_DIR}/channel")
endif()

# What it installs, and who uses it.
set(installed "${TSB_TEST_DIR}/installed")
set(consumer "${TSB_TEST_DIR}/a consumer")
set(executable OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(package libtorch-9.1-cpu_h0_0.conda)
set(driver "")
if(CASE MATCHES "^(no-)?driver$")
  set(driver __hip=6.2)
endif()
file(WRITE "${installed}/share/cmake/Torch/TorchConfig.cmake" "set(TORCH_LIBRARIES \"\")\n")
if(BREAK STREQUAL "python")
  file(WRITE "${installed}/bin/python" "")
endif()
set(value 0)
if(BREAK STREQUAL "run")
  set(value 1)
endif()
file(COPY "${TSB_SOURCE_DIR}/packaging/consumer/conda/CMakeLists.txt" DESTINATION "${consumer}/conda")
file(WRITE "${consumer}/conda/main.cpp" "int main() { return ${value}; }\n")
if(CASE STREQUAL "pytorch" OR BREAK STREQUAL "checks")
  set(package pytorch-9.1-cpu_py311_h0_0.conda)
  set(text "2 checks, 0 failed")
  if(BREAK)
    set(text "2 checks, 1 failed")
  endif()
  file(WRITE "${installed}/bin/python" "#!/bin/sh\necho \"$*\"\necho '${text}'\n")
  file(WRITE "${installed}/bin/torchrun" "#!/bin/sh\necho help\n")
  file(CHMOD "${installed}/bin/python" "${installed}/bin/torchrun" PERMISSIONS ${executable})
  file(WRITE "${consumer}/wheel_checks.py" "")
endif()
string(REGEX MATCH "^(.+)-([^-]+)-([^-]+)\\.conda$" ignored "${package}")
set(made "${TSB_TEST_DIR}/package")
file(
  WRITE "${made}/info/index.json"
  "{\"name\": \"${CMAKE_MATCH_1}\", \"version\": \"${CMAKE_MATCH_2}\", \"build\": \"${CMAKE_MATCH_3}\",
  \"build_number\": 0, \"subdir\": \"linux-64\", \"depends\": []}"
)
set(channel "${TSB_TEST_DIR}/a dist/linux-64")
file(MAKE_DIRECTORY "${channel}")
set(file "${channel}/${package}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -E tar cf info-demo-1.0-h0_0.tar.zst --zstd info
  WORKING_DIRECTORY "${made}" COMMAND_ERROR_IS_FATAL ANY
)
execute_process(
  COMMAND
    "${python}" -c "import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as package:
    package.writestr('metadata.json', '{\"conda_pkg_format_version\": 2}')
    package.writestr('pkg-demo-1.0-h0_0.tar.zst', 'files')
    package.write('info-demo-1.0-h0_0.tar.zst')" "${file}"
  WORKING_DIRECTORY "${made}" COMMAND_ERROR_IS_FATAL ANY
)
if(BREAK STREQUAL "absent")
  string(APPEND file ".not")
elseif(BREAK STREQUAL "name")
  set(file "${channel}/nameless.conda")
  file(WRITE "${file}" "")
endif()

tsb_run(
  status output "${CMAKE_COMMAND}" "-DTSB_PACKAGE=${file}" "-DTSB_CONSUMER=${consumer}"
  "-DTSB_WORK=${TSB_TEST_DIR}/a work folder" "-DTSB_RESULT=${TSB_TEST_DIR}/result.json" "-DTSB_DRIVER=${driver}"
  "-DTSB_TOOLS=${tree}" -P "${TSB_SOURCE_DIR}/packaging/conda/consumer_check.cmake"
)
if(BREAK)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed as it should")
  endif()
  return()
endif()
tsb_expect("status" EQUAL "${status}" 0)
set(expected "ok prefix, run: a C++ program, no Python in the prefix")
set(without "s, by rattler, without what it depends on: the channel https://a-channel/t/.../x")
if(CASE STREQUAL "offline-channel")
  tsb_expect("the rows" CONTAINS "${output}" "${without} is not a folder, and TSB_OFFLINE is set")
elseif(CASE STREQUAL "gateway")
  tsb_expect("the rows" CONTAINS "${output}" "${without} cannot be read")
elseif(CASE STREQUAL "pytorch")
  set(expected "ok prefix, run: 2 checks, 0 failed")
elseif(CASE STREQUAL "no-driver")
  set(expected "with what it depends on from https://a-channel/t/.../x; there is no driver here: as with __hip=6.2")
elseif(CASE STREQUAL "driver")
  tsb_expect("the rows" LACKS "${output}" "there is no driver here")
endif()
tsb_expect("the rows" CONTAINS "${output}" "${expected}")
tsb_expect_file("the result" CONTAINS "${TSB_TEST_DIR}/result.json" "\"verdict\" : \"ok\"")
tsb_expect("the rows" LACKS "${output}" "secret")
tsb_expect_file("the result" LACKS "${TSB_TEST_DIR}/result.json" "secret")
set(log "")
if(EXISTS "${TSB_TEST_DIR}/a work folder/log/prefix-install.log")
  file(READ "${TSB_TEST_DIR}/a work folder/log/prefix-install.log" log)
endif()
if(CASE STREQUAL "driver")
  tsb_expect("what the machine has" CONTAINS "${log}" "['__linux=6.1', '__hip=6.0']")
elseif(CASE STREQUAL "no-driver")
  tsb_expect("what it is taken for" CONTAINS "${log}" "['__linux=6.1', '__unix=6.0', '__hip=6.2']")
endif()
if(CASE STREQUAL "libtorch")
  tsb_expect("what is asked for" CONTAINS "${log}" "['libtorch ==9.1 cpu_h0_0']")
endif()
