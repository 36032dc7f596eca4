# SPDX-License-Identifier: BSD-3-Clause
# What the stage script of the Python layer adds to what setup.py lays out. A stand-in interpreter does setup.py's part.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
set(source "${TSB_TEST_DIR}/the source")
set(package "${TSB_TEST_DIR}/packages/pytorch-py311")
set(site "${package}/install/site-packages")
set(info "${site}/torch-2.6.0+cpu.dist-info")
file(WRITE "${source}/third_party/valgrind-headers/valgrind.h" "valgrind's")
file(WRITE "${source}/third_party/valgrind-headers/README.md" "no header")
file(WRITE "${source}/torch/lib/libshm/libshm.h" "libshm's")
file(WRITE "${source}/tools/flight_recorder/fr_trace.py" "from tools.flight_recorder import loader\n")
file(MAKE_DIRECTORY "${source}/functorch" "${package}/build")
file(
  WRITE "${TSB_TEST_DIR}/python"
  "#!/bin/sh
case $* in
  *dist_info*)
    mkdir -p '${info}'
    echo 'torchfrtrace = tools.flight_recorder.fr_trace:main' > '${info}/entry_points.txt';;
  *) mkdir -p '${site}/torch';;
esac
"
)
file(CHMOD "${TSB_TEST_DIR}/python" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
run(
  good "${CMAKE_COMMAND}" "-DTSB_SOURCE_DIR=${source}" "-DTSB_BUILD_DIR=${package}/build"
  "-DTSB_INSTALL_DIR=${package}/install" "-DTSB_PYTHON=${TSB_TEST_DIR}/python" -P
  "${TSB_SOURCE_DIR}/superbuild/pytorch-py/stage_python_layer.cmake"
)
set(wrapper "${site}/torch/utils/benchmark/utils/valgrind_wrapper")
foreach(file IN ITEMS "${wrapper}/valgrind.h" "${site}/torch/include/libshm.h")
  tsb_expect("header" EXISTS "${file}")
endforeach()
tsb_expect("what is not a header" ABSENT "${wrapper}/README.md")
tsb_expect_file(
  "entry points" EQUAL "${info}/entry_points.txt" "torchfrtrace = torch.distributed.flight_recorder.fr_trace:main\n"
)
tsb_expect_file(
  "the module" EQUAL "${site}/torch/distributed/flight_recorder/fr_trace.py"
  "from torch.distributed.flight_recorder import loader\n"
)
