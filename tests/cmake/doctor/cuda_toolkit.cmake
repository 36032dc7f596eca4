# SPDX-License-Identifier: BSD-3-Clause
# Which toolkit is taken, and the message where none can be: none, another version, two, TSB_CUDA_HOME.
include(${CMAKE_CURRENT_LIST_DIR}/cuda_machine.cmake)

cuda_doctor(cuda_toolkit)
fails(
  1 "CUDA toolkit: 12.4 is needed, and there is no toolkit here"
  "-> apt-get install cuda-toolkit-12-4 (of NVIDIA's repository), or name one in TSB_CUDA_HOME"
)
tsb_expect("nothing exported" LACKS "${output}" "TSB_CUDA_TOOLKIT is")
tool(apt-cache "echo '  Candidate: 12.4.131~12.4.1-2'")
cuda_doctor(cuda_toolkit)
fails(1 "-> apt-get install nvidia-cuda-toolkit, or name one in TSB_CUDA_HOME")
file(REMOVE ${bin}/apt-cache)

# All other versions are named; a preset for one is offered where its release can be built.
fake_toolkit(${root}/usr/local/cuda-13.0 13.0.88)
fake_toolkit(${root}/usr/local/cuda-11.8 11.8.89)
cuda_doctor(cuda_toolkit)
fails(
  1 "CUDA toolkit: 12.4 is needed, found: 13.0.88 in ${root}/usr/local/cuda-13.0 (/usr/local)"
  "11.8.89 in ${root}/usr/local/cuda-11.8 (/usr/local)" "or take the preset cu118-..., which is for PyTorch ${pytorch}"
)
tsb_expect("no pins for it" LACKS "${output}" "cu130-")

# Found; the others are named.
fake_toolkit(${root}/usr 12.4.131 LAYOUT distribution)
cuda_doctor(cuda_toolkit nvtx)
passes(
  "-- CUDA toolkit: 12.4.131 in ${root}/usr (distribution)" "CUDA toolkit: not for this preset: 13.0.88 in"
  "TSB_CUDA_TOOLKIT is" "\"home\" : \"${root}/usr\"" "NVTX: ${root}/usr/lib/x86_64-linux-gnu/libnvToolsExt.so"
  "TSB_CUDA_NVTX is [library]"
)

# Two of the version: the first by the documented order, and a line says so; TSB_CUDA_HOME decides.
fake_toolkit(${root}/usr/local/cuda-12.4 12.4.99)
cuda_doctor(cuda_toolkit)
passes(
  "-- CUDA toolkit: 12.4.99 in ${root}/usr/local/cuda-12.4 (/usr/local)"
  "the first of several 12.4; TSB_CUDA_HOME would take another one: 12.4.131 in ${root}/usr (distribution)"
)
cuda_doctor(cuda_toolkit ENVIRONMENT TSB_CUDA_HOME=${root}/usr)
passes("-- CUDA toolkit: 12.4.131 in ${root}/usr (TSB_CUDA_HOME)")

# TSB_CUDA_HOME is not replaced in silence.
cuda_doctor(cuda_toolkit ENVIRONMENT TSB_CUDA_HOME=${root}/usr/local/cuda-13.0)
fails(
  1 "CUDA toolkit: TSB_CUDA_HOME is ${root}/usr/local/cuda-13.0, which is CUDA 13.0.88, but this preset is for 12.4"
  "-> name a toolkit 12.4, or unset it"
)
# A compiler without its libraries, and a broken one.
file(REMOVE ${root}/usr/local/cuda-12.4/include/cufft.h)
file(GLOB files ${root}/usr/local/cuda-12.4/lib64/libcusparse.so*)
file(REMOVE ${files})
cuda_doctor(cuda_toolkit)
fails(
  1 "12.4.99 in ${root}/usr/local/cuda-12.4 (/usr/local) lacks cufft.h, libcusparse.so"
  "-> install all of the toolkit, not the compiler alone (Debian: nvidia-cuda-toolkit and nvidia-cuda-dev)"
)
# A part of another version: the remedy of Debian's own. (tests/cmake/cuda/find.cmake has all faults.)
file(REMOVE_RECURSE ${root}/usr ${root}/opt)
fake_toolkit(${root}/usr 12.4.131 LAYOUT distribution)
file(REMOVE ${root}/usr/bin/fatbinary)
cuda_tool(${root}/usr/bin/ptxas 13.0.88)
tool(apt-cache "printf '  Installed: 12.4.131~12.4.1-2\\n  Candidate: 12.4.131~12.4.1-2\\n'")
cuda_doctor(cuda_toolkit)
fails(
  1 "12.4.131 in ${root}/usr (distribution), but its ptxas (${root}/usr/bin/ptxas) is V13.0.88, it lacks fatbinary"
  "-> apt-get install --reinstall nvidia-cuda-toolkit nvidia-cuda-dev, or name one in TSB_CUDA_HOME"
)
file(REMOVE_RECURSE ${root}/usr ${bin}/apt-cache)

# NVTX: headers since 12.9; neither.
file(REMOVE_RECURSE ${root}/opt)
fake_toolkit(${root}/opt/cuda 12.9.86)
cuda_doctor(cuda_toolkit nvtx PYTORCH 2.8.0 CUDA 12.9)
passes("NVTX: the headers nvtx3 take the place of libnvToolsExt" "TSB_CUDA_NVTX is [headers]")
file(REMOVE ${root}/opt/cuda/include/nvtx3/nvToolsExt.h)
cuda_doctor(cuda_toolkit nvtx PYTORCH 2.8.0 CUDA 12.9)
fails(1 "NVTX: neither libnvToolsExt nor the headers nvtx3 are in the toolkit ${root}/opt/cuda" "install them")
