# SPDX-License-Identifier: BSD-3-Clause
# What ROCm adds to the compile of PyTorch; included by build_settings.cmake.
include_guard(GLOBAL)

set(more_depends rocm-toolkit)
set(clang "${TSB_ROCM_TOOLKIT_clang}")
set(device_libraries "${TSB_ROCM_TOOLKIT_device_libraries}")
# A distribution's folders are the same on each machine that has it, and may be named; another ROCm is seen through the
# package.
set(rocm "${TSB_ROCM_TOOLKIT_home}")
if(NOT TSB_ROCM_TOOLKIT_layout STREQUAL "distribution")
  set(rocm @PREFIX_rocm-toolkit@/rocm)
  string(REPLACE "${TSB_ROCM_TOOLKIT_home}/" "${rocm}/" clang "${clang}")
  string(REPLACE "${TSB_ROCM_TOOLKIT_home}/" "${rocm}/" device_libraries "${device_libraries}")
endif()
list(JOIN backend_configured_archs " " rocm_archs) # a ";" would not survive the lists below
set(
  more_environment
  "ROCM_PATH=${rocm}"
  ROCM_INCLUDE_DIRS=@PREFIX_rocm-toolkit@/include
  "PYTORCH_ROCM_ARCH=${rocm_archs}"
  HIP_PLATFORM=amd
  "HIP_CLANG_PATH=${clang}"
  "HIP_DEVICE_LIB_PATH=${device_libraries}" # not below a distribution's /usr
  "ROCM_SOURCE_DIR=${rocm}" # where Kineto looks for roctracer
)
if(TSB_ROCM_TOOLKIT_layout STREQUAL "distribution")
  set(more_options "CMAKE_MODULE_PATH=${TSB_ROCM_TOOLKIT_configs}/hip"
  )# FindHIP.cmake, which LoadHIP.cmake expects in lib/cmake
endif()
# Kineto sees no GPU then, and asks for no roctracer, which not every ROCm has.
if(NOT TSB_ROCM_TOOLKIT_libraries MATCHES "/libroctracer64\\.so(;|$)")
  list(APPEND more_options LIBKINETO_NOROCTRACER=ON)
endif()

# What LoadHIP.cmake looks for, and what the components' own files look for in turn.
list(
  APPEND more_system ${versions_required} HIP AMDDeviceLibs hipblas-common rocfft rocsparse rocsolver
  rocprofiler-register ROCM ROCTX clang_rt.builtins-x86_64
)
set(link_names ${libraries_rocm-toolkit_files}) # amdhip64
list(TRANSFORM link_names REPLACE "^lib([^*]*).*$" "\\1")
list(APPEND more_system ${link_names})
set(more_patch_scripts "${CMAKE_CURRENT_LIST_DIR}/pytorch/hipify.cmake")
