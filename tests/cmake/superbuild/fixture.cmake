# SPDX-License-Identifier: BSD-3-Clause
# A superbuild with a real declaration of the CUDA backend on a stand-in for the source, and a stand-in for cuda-toolkit
# whose nvcc compiles C++ and writes down its arguments.
include("${CMAKE_CURRENT_LIST_DIR}/../package/fixture.cmake")
include("${TSB_SOURCE_DIR}/tests/fixtures/release.cmake")
set(build "${TSB_TEST_DIR}/build") # makefiles bear no blank
set(nvcc_log "${TSB_TEST_DIR}/nvcc.txt")
file(
  WRITE "${box}/trees/toolkit/bin/nvcc"
  "#!/bin/sh
echo \"$NVCC_PREPEND_FLAGS: $*\" >>'${nvcc_log}'
cxx=c++ source= output=
while [ $# -gt 0 ]; do
  case $1 in -ccbin) cxx=$2; shift ;; -o) output=$2; shift ;; *.cu) source=$1 ;; esac
  shift
done
exec \"$cxx\" -x c++ -fPIC -c \"$source\" -o \"$output\"\n"
)
file(CHMOD "${box}/trees/toolkit/bin/nvcc" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(WRITE "${box}/trees/toolkit/LICENSE" "licence of the toolkit\n")
add_source(toolkit 1.0)
# The headers are the machine's, behind a link, as in the real package.
file(WRITE "${TSB_TEST_DIR}/m/cuda_runtime.h" "")
file(
  WRITE "${box}/toolkit.cmake" "file(COPY \"\${TSB_SOURCE_DIR}/\" DESTINATION \"\${TSB_INSTALL_DIR}\")
file(CREATE_LINK \"${TSB_TEST_DIR}/m\" \"\${TSB_INSTALL_DIR}/include\" SYMBOLIC)\n"
)

# declare_real(<name of the file in backends/cuda/packages/> <archs> <package>... [CUDA <version>] [MORE <text>]): with
# the stand-in of cuda-toolkit.
function(declare_real name archs)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "CUDA;MORE" "")
  set(version "")
  if(arg_CUDA)
    set(version "set(backend_version ${arg_CUDA})")
  endif()
  declare(
    "set(TSB_CUDA_ARCHS \"${archs}\")
tsb_load_model(--backend=cu124)
${version}
tsb_write_settings()
set(TSB_CUDA_TOOLKIT_version 12.4.131)
tsb_declare_package(cuda-toolkit DESCRIPTION \"T\" SOURCE toolkit BUILD_SYSTEM none BUILD_ONLY STAGE_SCRIPTS \"${box}/toolkit.cmake\")
include(\"${TSB_SOURCE_DIR}/backends/cuda/packages/${name}.cmake\")
${arg_MORE}"
    ${arg_UNPARSED_ARGUMENTS}
  )
endfunction()

# add_stand_in(<source> <version> [<members of the pin>]): packs the fixture <source>-stand-in.
function(add_stand_in name version)
  file(MAKE_DIRECTORY "${box}/trees/${name}")
  file(COPY "${TSB_SOURCE_DIR}/tests/fixtures/${name}-stand-in/" DESTINATION "${box}/trees/${name}")
  add_source(${name} ${version} ${ARGN})
  set(pins "${pins}" PARENT_SCOPE)
endfunction()
