# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/z_tsb_json.cmake)

# The packages with NVIDIA's libraries that an artifact may bundle. All but NCCL are views of what this machine has.
set(Z_TSB_CUDA_PACKAGES cuda-toolkit cudnn cusparselt nccl)

# z_tsb_cuda_folders(<out-var> <artifact json>): their folders of libraries, those that there are. Empty for a CPU artifact.
function(z_tsb_cuda_folders out artifact)
  z_tsb_json_get(cuda "${artifact}" cuda_version)
  z_tsb_json_take(artifact build_folder)
  set(folders "")
  if(cuda)
    foreach(package IN LISTS Z_TSB_CUDA_PACKAGES)
      if(IS_DIRECTORY "${build_folder}/packages/${package}/install/lib")
        list(APPEND folders "${build_folder}/packages/${package}/install/lib")
      endif()
    endforeach()
  endif()
  set(${out} "${folders}" PARENT_SCOPE)
endfunction()

# z_tsb_cuda_opened_by_name(<out-var> <artifact json>): libraries that no other names as needed: NVRTC opens its builtins, and
# libcudnn.so.9 and libcudnn_graph.so.9 open cuDNN's parts. NVRTC itself, which PyTorch opens by its name, is needed by
# libcaffe2_nvrtc.so.
function(z_tsb_cuda_opened_by_name out artifact)
  set(names "")
  z_tsb_cuda_folders(folders "${artifact}")
  foreach(folder IN LISTS folders)
    file(GLOB found RELATIVE "${folder}" "${folder}/libnvrtc-builtins.so.*" "${folder}/libcudnn_*.so.*")
    list(APPEND names ${found})
  endforeach()
  # Their SONAMEs, not the names of files: libnvrtc-builtins.so.12.4, libcudnn_ops.so.9.
  list(FILTER names INCLUDE REGEX "^libnvrtc-builtins\\.so\\.[0-9]+\\.[0-9]+$|^libcudnn_.*\\.so\\.[0-9]+$")
  list(SORT names)
  list(REMOVE_DUPLICATES names)
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# z_tsb_cuda_machine(<out-var> <artifact json> <package>): where on this machine a package lies (MACHINE of its
# declaration), a JSON object; {} for a package that was built or is not there.
function(z_tsb_cuda_machine out artifact package)
  z_tsb_json_take(artifact build_folder)
  set(machine "")
  if(EXISTS "${build_folder}/packages/${package}/package.json")
    file(READ "${build_folder}/packages/${package}/package.json" json)
    z_tsb_json_take(json machine)
  endif()
  if(machine STREQUAL "")
    set(machine "{}")
  endif()
  set(${out} "${machine}" PARENT_SCOPE)
endfunction()

# z_tsb_cuda_owner(<out-var> <artifact json> <library>): the package that has a library of that name (libcublas.so.12, or the
# file behind it), and as <out-var>_file the file itself; both empty for another library.
function(z_tsb_cuda_owner out artifact library)
  set(${out} "" PARENT_SCOPE)
  set(${out}_file "" PARENT_SCOPE)
  z_tsb_json_take(artifact build_folder)
  z_tsb_cuda_folders(folders "${artifact}")
  foreach(folder IN LISTS folders)
    if(EXISTS "${folder}/${library}")
      string(REGEX REPLACE "/install/lib$" "" package "${folder}")
      get_filename_component(package "${package}" NAME)
      get_filename_component(file "${folder}/${library}" REALPATH)
      set(${out} "${package}" PARENT_SCOPE)
      set(${out}_file "${file}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
