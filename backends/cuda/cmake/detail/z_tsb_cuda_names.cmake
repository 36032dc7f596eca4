# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_cuda_names(<result> PROGRAMS|HEADERS|LIBRARIES|FOREIGN): expressions for the names of a toolkit's files, for
# folders that it shares with others. By name and not by the package manager's lists, since a tree of unpacked packages
# has none; compared with Debian's nvidia-cuda-dev, nvidia-cuda-toolkit, libcupti-dev, libnvidia-ml-dev, libthrust-dev,
# libcub-dev and libcu++-dev, and with NVIDIA's own folders, where CUDA 11 to 13 have the same names.
#
# FOREIGN is one expression for the beginning of names that are not the toolkit's although some put them into its
# folders.
function(z_tsb_cuda_names result kind)
  set(PROGRAMS "(bin2c|crt|fatbinary|nvlink|ptxas|__nvcc_device_query)" "cu(dafe\\+\\+|\\+\\+filt)")
  set(
    HEADERS
    "cu(blas|da|fft|file|obj|pti|rand|solver|sparse|Complex)[A-Za-z0-9_]*(\\.h|\\.hpp)?"
    "cooperative_groups(\\.h)?|cccl|crt|cub|nv|nvfunctional|nvtx3|thrust|Openacc|Openmp"
    "npp[a-z_]*\\.h"
    "nv(ToolsExt|rtc|vm|ml|JitLink|Fatbin|PTXCompiler|blas|jpeg|_decode|perf_)[A-Za-z0-9_]*\\.h"
    "(builtin|device|driver|library|surface|texture|vector)_types\\.h"
    "(common|device|driver|math|surface|surface_indirect|texture_fetch|texture_indirect|vector)_functions\\.(h|hpp)"
    "device_(atomic|double)_functions\\.(h|hpp)"
    "(channel_descriptor|device_launch_parameters|fatbinary|fatBinaryCtl|fatbinary_section|math_constants|mma)\\.h"
    "generated_(cuda|nvtx)[A-Za-z_]*_meta\\.h"
    "host_(config|defines)\\.h|sobol_direction_vectors\\.h"
    "sm_[0-9]+_[a-z_]+\\.(h|hpp)"
  )
  set(library "(_static|_static_nocallback|_device|\\.alt)*\\.(a|so|so\\.[0-9.]+)")
  set(
    LIBRARIES
    "libcu(blas|blasLt|dart|dadevrt|fft|fftw|file|file_rdma|filt|inj64|libos|pti|rand|sparse)${library}"
    "libcusolver(Mg|_lapack|_metis)?${library}"
    "libnpp[a-z]*${library}"
    "libnv(rtc|rtc-builtins|JitLink|fatbin|jpeg|blas|ToolsExt|vm|perf_host|perf_target|ptxcompiler|tx3interop)${library}"
    "lib(accinj64|checkpoint|metis|pcsamplingutil)${library}"
  )
  set(FOREIGN "^(lib)?(cudnn|nccl|cusparseLt|nvinfer|nvonnx|NvInfer|NvOnnx)")
  set(${result} "${${kind}}" PARENT_SCOPE)
endfunction()
