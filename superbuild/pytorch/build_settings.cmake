# SPDX-License-Identifier: BSD-3-Clause
# What PyTorch's two compiles have in common: that of libtorch (pytorch.cmake) and those of the Python layers
# (pytorch-py.cmake). They see the same features, or headers and generated code would not fit the libraries.
#
# PyTorch's options are in the release's options.json, but for those that depend on a choice: here and in those two.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/release/tsb_declare_release_features.cmake)

set(blas_options "")
set(blas_system "")
if(TSB_BLAS STREQUAL "mkl")
  set(blas_package mkl)
  # FindMKL.cmake of PyTorch looks along these, not along CMAKE_PREFIX_PATH.
  set(blas_environment "CMAKE_INCLUDE_PATH=@PREFIX_mkl@/include" "CMAKE_LIBRARY_PATH=@PREFIX_mkl@/lib")
  set(blas_options BLAS=MKL USE_STATIC_MKL=ON)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # With clang FindMKL.cmake asks for MKL's Intel threads and for Intel's OpenMP runtime, and without that takes the
    # sequential MKL. LLVM's runtime, clang's own, has the same entry points.
    list(APPEND blas_options MKL_LIBRARIES_iomp5_LIBRARY=-fopenmp)
  endif()
else()
  set(blas_package openblas)
  set(blas_environment "OpenBLAS_HOME=@PREFIX_openblas@" "CMAKE_LIBRARY_PATH=@PREFIX_openblas@/lib")
  # Named here, since FindOpenBLAS.cmake of PyTorch knows nothing of what a static OpenBLAS needs. All of it, or
  # FindLAPACK.cmake finds that cheev_ does not link and goes on without LAPACK; and with its type, or find_library()
  # takes "gfortran" for a file of the working folder.
  set(blas_options BLAS=OpenBLAS "OpenBLAS_LIB:STRING=@PREFIX_openblas@/lib/libopenblas.a\\;gfortran\\;-fopenmp\\;m")
  set(blas_system gfortran)
endif()

# Its generators run while it is built. Python is this machine's in any case.
set(generators "")
set(generator_options "")
if(target_cross)
  set(generators protobuf-tools)
  foreach(option IN ITEMS CAFFE2_CUSTOM_PROTOC_EXECUTABLE ONNX_CUSTOM_PROTOC_EXECUTABLE)
    list(APPEND generator_options ${option}=@PREFIX_protobuf-tools@/bin/protoc)
  endforeach()
endif()

# What the backend adds: backends/<kind>/pytorch.cmake, where there is one, sets these, more_options and so on, and
# feature_<NAME> of tsb_declare_release_features().
foreach(variable IN ITEMS options environment depends system modules memory include patch_scripts)
  set(more_${variable} "")
endforeach()
tsb_find_data(file "backends/${backend_kind}/pytorch.cmake")
if(file)
  include("${file}")
endif()

set(pytorch_depends sleef protobuf build-requirements nnpack-generator ${generators} ${blas_package} ${more_depends})
set(
  pytorch_system
  Threads OpenMP Python # code generation; no Python gets into a libtorch
  Python3 PythonInterp Backtrace # execinfo.h, of the C library
  Git ${blas_system} ${more_system}
)
# Modules of its own tree, which look at the compiler or find what the declaration above put on their path.
set(
  pytorch_modules ARM AVX ITT # adds the submodule ittapi; PyTorch's configure ends when it is not found
                  uv BLAS LAPACK MKLDNN OpenBLAS Vulkan ZVECTOR ${more_modules}
)
set(pytorch_options "${blas_options}") # quoted: an option of OpenBLAS has escaped semicolons
list(APPEND pytorch_options ${generator_options} ${more_options})
if(NOT "${TSB_UNITY}" STREQUAL "")
  list(APPEND pytorch_options "TSB_UNITY=${TSB_UNITY}")
elseif(NOT target_unity_groups)
  list(APPEND pytorch_options TSB_UNITY=OFF)
endif()
if(TSB_UNITY_TRIAL AND NOT "TSB_UNITY=OFF" IN_LIST pytorch_options)
  list(APPEND pytorch_options TSB_UNITY_TRIAL=ON)
endif()
set(
  pytorch_environment
  PYTORCH_BUILD_NUMBER=0
  PYTORCH_BUILD_COMMIT=@COMMIT@
  PYTHONPATH=@PREFIX_build-requirements@/site-packages # what torchgen and setup.py import
  PYTHONDONTWRITEBYTECODE=1 # the generators' folders are other packages' install trees
  ${blas_environment}
  ${more_environment}
)

set(
  pytorch_include "${CMAKE_CURRENT_LIST_DIR}/rename_namespaces.cmake" "${CMAKE_CURRENT_LIST_DIR}/hide_symbols.cmake"
                  "${CMAKE_CURRENT_LIST_DIR}/unity_groups.cmake"
)
set(pytorch_inputs "${CMAKE_CURRENT_LIST_DIR}/z_tsb_unity_headers.cmake" ${model_symbols})
