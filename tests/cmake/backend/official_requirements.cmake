# SPDX-License-Identifier: BSD-3-Clause
# What an official wheel requires of NVIDIA has a pin.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_run.cmake)
set(wheel "${TSB_TEST_DIR}/wheel")
set(packages "${TSB_TEST_DIR}/packages")
file(
  WRITE "${wheel}/torch-9.9.0.dist-info/METADATA"
  "Requires-Dist: sympy\nRequires-Dist: nvidia-nccl-cu12 (==2.21.5) ; platform_system == \"Linux\"\nRequires-Dist: nvidia-cublas\n"
)
set(pins "${TSB_TEST_DIR}/pins.json")
file(WRITE "${pins}" [[{"sources": {"nvidia-nccl": {}, "nvidia-cuda-runtime": {}, "nvidia-cublas": {}}}]])
file(WRITE "${packages}/pytorch/package.json" "{\"pins\": \"${pins}\"}")

set(
  command "${CMAKE_COMMAND}" "-DTSB_SOURCE_DIR=${wheel}" "-DTSB_INSTALL_DIR=${packages}/pytorch/install" -P
          "${TSB_SOURCE_DIR}/backends/official-cpu/packages/pytorch/check_requirements.cmake"
)

tsb_run(result output ${command})
tsb_expect("all have pins" EQUAL "${result}${output}" 0)
file(WRITE "${pins}" [[{"sources": {"nvidia-cublas": {}}}]])
tsb_run(result output ${command})
tsb_expect("one has none" EQUAL "${result}" 1)
tsb_expect(
  "one has none" CONTAINS "${output}" "requires nvidia-nccl, which is not pinned"
  "name its libraries in backends/cuda/libraries.json"
)
