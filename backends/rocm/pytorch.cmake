# SPDX-License-Identifier: BSD-3-Clause
# What ROCm adds to the compile of PyTorch; included by build_settings.cmake.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/backend/z_tsb_backend_libraries.cmake)

# z_tsb_rocm_link_names(<out-var>): by which a linker knows the libraries: amdhip64.
function(z_tsb_rocm_link_names out)
  set(found "")
  z_tsb_backend_library_names(names rocm)
  foreach(name IN LISTS names)
    z_tsb_backend_libraries(facts rocm ${name})
    z_tsb_json_get_list(files "${facts}" files)
    list(TRANSFORM files REPLACE "^lib([^*]*).*$" "\\1")
    list(APPEND found ${files})
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

set(more_depends rocm-toolkit)
z_tsb_json_take(TSB_ROCM_TOOLKIT home layout clang device_libraries configs)
# A distribution's folders are the same on each machine that has it, and may be named; another ROCm is seen through the
# package.
set(rocm "${home}")
if(NOT layout STREQUAL "distribution")
  set(rocm @PREFIX_rocm-toolkit@/rocm)
  string(REPLACE "${home}/" "${rocm}/" clang "${clang}")
  string(REPLACE "${home}/" "${rocm}/" device_libraries "${device_libraries}")
endif()
list(JOIN TSB_ROCM_ARCHS " " rocm_archs) # a ";" would not survive the lists below
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
if(layout STREQUAL "distribution")
  set(more_options "CMAKE_MODULE_PATH=${configs}/hip") # FindHIP.cmake, which LoadHIP.cmake expects in lib/cmake
endif()
# Kineto sees no GPU then, and asks for no roctracer, which not every ROCm has.
file(GLOB roctracer "${home}/lib/libroctracer64.so" "${home}/lib/*/libroctracer64.so")
if(NOT roctracer)
  list(APPEND more_options LIBKINETO_NOROCTRACER=ON)
endif()

# What LoadHIP.cmake looks for, and what the components' own files look for in turn.
file(READ "${CMAKE_CURRENT_LIST_DIR}/versions.json" rocm_facts)
z_tsb_json_get_list(more_system "${rocm_facts}" required)
list(
  APPEND more_system HIP AMDDeviceLibs hipblas-common rocfft rocsparse rocsolver rocprofiler-register ROCM ROCTX
  clang_rt.builtins-x86_64
)
z_tsb_rocm_link_names(rocm_libraries)
list(APPEND more_system ${rocm_libraries})
set(more_patch_scripts "${CMAKE_CURRENT_LIST_DIR}/pytorch/hipify.cmake")
