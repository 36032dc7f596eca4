# SPDX-License-Identifier: BSD-3-Clause
# PyTorch, compiled once per backend; every artifact is made from this package's install tree.
#
# The one file that knows PyTorch's options. They hold for 2.6.0; where another release needs others, branch here on
# TSB_PYTORCH_VERSION.

set(blas_options "")
set(blas_system "")
if(TSB_BLAS STREQUAL "mkl")
  set(blas_package mkl)
  # FindMKL.cmake of PyTorch looks along these, not along CMAKE_PREFIX_PATH.
  set(blas_environment "CMAKE_INCLUDE_PATH=@PREFIX_mkl@/include" "CMAKE_LIBRARY_PATH=@PREFIX_mkl@/lib")
  set(blas_options BLAS=MKL USE_STATIC_MKL=ON)
elseif(TSB_BLAS STREQUAL "openblas")
  set(blas_package openblas)
  set(blas_environment "OpenBLAS_HOME=@PREFIX_openblas@" "CMAKE_LIBRARY_PATH=@PREFIX_openblas@/lib")
  # Named here, since FindOpenBLAS.cmake of PyTorch knows nothing of what a static OpenBLAS needs. All of it, or
  # FindLAPACK.cmake finds that cheev_ does not link and goes on without LAPACK; and with its type, or find_library()
  # takes "gfortran" for a file of the working folder.
  set(blas_options BLAS=OpenBLAS "OpenBLAS_LIB:STRING=@PREFIX_openblas@/lib/libopenblas.a\\;gfortran\\;-fopenmp\\;m")
  set(blas_system gfortran)
else()
  message(FATAL_ERROR "TSB_BLAS is '${TSB_BLAS}'; it is mkl or openblas")
endif()

# Sources that share a compile; see pytorch/unity_groups.cmake. Without a list for the release nothing is grouped.
file(
  GLOB unity_lists
  "${CMAKE_CURRENT_LIST_DIR}/pytorch/unity_groups-${TSB_PYTORCH_VERSION}.txt"
  "${CMAKE_CURRENT_LIST_DIR}/pytorch/unity_exclude.txt"
)

set(unity_option "")
if(NOT "$ENV{TSB_UNITY}" STREQUAL "")
  set(unity_option "TSB_UNITY=$ENV{TSB_UNITY}")
endif()

tsb_declare_package(
  pytorch
  DESCRIPTION "libtorch, and the base of every wheel and conda package"
  SOURCE pytorch
  DEPENDS sleef protobuf ${blas_package}
  PROVIDES Torch Caffe2 ATen
  SYSTEM
    Threads
    OpenMP
    Python # code generation; no Python gets into a libtorch
    Python3
    PythonInterp
    Backtrace # execinfo.h, of the C library
    Git
    ${blas_system}
  MODULES
    # Of its own tree, which look at the compiler or find what the declaration above put on their path.
    ARM
    AVX
    uv
    BLAS
    LAPACK
    MKLDNN
    OpenBLAS
    Vulkan
  OPTIONS
    Python_EXECUTABLE=@PYTHON@
    PYTHON_EXECUTABLE=@PYTHON@ # what onnx and Kineto call it
    XNNPACK_BUILD_ALL_MICROKERNELS=OFF # 3,331 that only its own tests use
    BUILD_PYTHON=OFF # the bindings are a package of their own, one per Python
    BUILD_TEST=OFF
    BUILD_BINARY=OFF
    BUILD_CUSTOM_PROTOBUF=OFF
    USE_SYSTEM_SLEEF=ON
    USE_CUDA=OFF
    USE_ROCM=OFF
    USE_XPU=OFF
    ${blas_options}
    ${unity_option}
  ENVIRONMENT "PYTORCH_BUILD_VERSION=${TSB_PYTORCH_VERSION}" PYTORCH_BUILD_NUMBER=0 ${blas_environment}
  INCLUDE "${CMAKE_CURRENT_LIST_DIR}/pytorch/unity_groups.cmake"
  INPUTS ${unity_lists}
  STAGE_SCRIPTS
    "${CMAKE_CURRENT_LIST_DIR}/../packaging/sbom/record_linked.cmake"
    "${CMAKE_CURRENT_LIST_DIR}/../packaging/libtorch/make_static_libraries.cmake"
    "${CMAKE_CURRENT_LIST_DIR}/../packaging/libtorch/remove_third_party_archives.cmake"
  STEP_COSTS "${CMAKE_CURRENT_LIST_DIR}/pytorch/step_costs.txt"
  LICENSE_FILES LICENSE NOTICE third_party/LICENSES_BUNDLED.txt
  MEMORY_PER_JOB_MB 1800
  LINK_MEMORY_MB 4000
)

# Features as the official CPU build has them. Sources that belong to one are tied to it in the pins.
tsb_declare_feature(pytorch OPENMP OPTION USE_OPENMP)
tsb_declare_feature(pytorch MKLDNN OPTION USE_MKLDNN)
tsb_declare_feature(pytorch XNNPACK OPTION USE_XNNPACK)
tsb_declare_feature(pytorch QNNPACK OPTION USE_PYTORCH_QNNPACK)
tsb_declare_feature(pytorch NNPACK OPTION USE_NNPACK)
tsb_declare_feature(pytorch FBGEMM OPTION USE_FBGEMM)
tsb_declare_feature(pytorch KINETO OPTION USE_KINETO)
tsb_declare_feature(pytorch ITT OPTION USE_ITT)
tsb_declare_feature(pytorch DISTRIBUTED OPTION USE_DISTRIBUTED)
tsb_declare_feature(pytorch GLOO OPTION USE_GLOO)
tsb_declare_feature(pytorch TENSORPIPE OPTION USE_TENSORPIPE)
tsb_declare_feature(
  pytorch
  MPI
  OPTION USE_MPI
  OFF "the official packages have none; it would tie the artifact to one MPI"
)
tsb_declare_feature(pytorch NUMA OPTION USE_NUMA OFF "the official CPU packages have none")
