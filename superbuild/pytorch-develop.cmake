# SPDX-License-Identifier: BSD-3-Clause
# PyTorch as its developers build it: the checkout that TSB_LOCAL_pytorch names, where it is, libtorch and the Python
# layer in one. Nothing of it is packed. docs/develop.md
include(${CMAKE_CURRENT_LIST_DIR}/pytorch/build_settings.cmake)

if("pytorch-develop" IN_LIST TSB_PACKAGES)
  tsb_run_python(sources.checkout "${TSB_LOCAL_pytorch}" "${TSB_CODEGEN_PYTHON}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E environment OUTPUT_VARIABLE environment)
  string(REGEX MATCHALL "(^|\n)(DEBUG|REL_WITH_DEB_INFO|MAX_JOBS|BUILD_TEST|USE_[A-Z0-9_]+)=" found "${environment}")
  string(REGEX REPLACE "[\n=]" "" found "${found}")
  if(found)
    list(JOIN found ", " found)
    message(NOTICE "${found} of the environment: only PyTorch's setup.py reads that (docs/develop.md#options)")
  endif()
  # What a developer, or an IDE, gives to CMake is meant for the checkout.
  foreach(name IN ITEMS BUILD_TYPE C_FLAGS CXX_FLAGS EXE_LINKER_FLAGS MODULE_LINKER_FLAGS SHARED_LINKER_FLAGS)
    if(NOT "$CACHE{CMAKE_${name}}" STREQUAL "" AND NOT "${TSB_PYTORCH_OPTIONS}" MATCHES "(^|;)CMAKE_${name}:")
      list(APPEND TSB_PYTORCH_OPTIONS "CMAKE_${name}:STRING=$CACHE{CMAKE_${name}}")
    endif()
  endforeach()
endif()

# For a release, libraries that are packages need patches, and there are two builds, one without a Python.
set(options ${release_options_pytorch})
list(FILTER options EXCLUDE REGEX "^(BUILD_(TEST|BINARY|PYTHON|CUSTOM_PROTOBUF)|USE_SYSTEM_SLEEF)=")
set(description "PYTHONPATH='${TSB_LOCAL_pytorch}' '${TSB_CODEGEN_PYTHON}' imports this PyTorch")
tsb_declare_package(
  pytorch-develop
  DESCRIPTION "${description}" IN_PLACE "${TSB_LOCAL_pytorch}"
  DEPENDS nnpack-generator ${blas_package} ${more_depends}
  OPTIONS BUILD_PYTHON=ON USE_NUMPY=ON ${options} ${blas_options} ${more_options}
  ENVIRONMENT ${blas_environment} ${more_environment}
  INCLUDE "${CMAKE_CURRENT_LIST_DIR}/pytorch-develop/add_extension.cmake" ${more_include}
  MEMORY_PER_JOB_MB 1800
  LINK_MEMORY_MB 4000 ${more_memory}
)
tsb_declare_release_features(pytorch-develop pytorch)
