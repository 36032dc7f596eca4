# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/backend/tsb_ask_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/backend/z_tsb_backend_libraries.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/model/tsb_read_record.cmake)

# The packages with a backend's libraries, which an artifact may bundle (`packages` of its backend.json): views of what
# this machine has, and what was built.

# z_tsb_backend_folders(<out-var>): their folders of libraries, those that there are. Empty for the CPU.
function(z_tsb_backend_folders out)
  set(folders "")
  foreach(package IN LISTS artifact_backend_packages)
    if(IS_DIRECTORY "${artifact_build_folder}/packages/${package}/install/lib")
      list(APPEND folders "${artifact_build_folder}/packages/${package}/install/lib")
    endif()
  endforeach()
  set(${out} "${folders}" PARENT_SCOPE)
endfunction()

# z_tsb_machine_of_package(<out-var> <package>): where on this machine a package lies (MACHINE of its
# declaration), a JSON object; {} for a package that was built or is not there.
function(z_tsb_machine_of_package out package)
  set(machine "")
  if(EXISTS "${artifact_build_folder}/packages/${package}/package.json")
    tsb_read_record("${artifact_build_folder}/packages/${package}/package.json" package)
    set(machine "${package_machine}")
  endif()
  if(machine STREQUAL "")
    set(machine "{}")
  endif()
  set(${out} "${machine}" PARENT_SCOPE)
endfunction()

# z_tsb_backend_owner(<out-var> <library>): the package that has a library of that name (libcublas.so.12, or the file
# behind it), and as <out-var>_file the file itself; both empty for another library.
function(z_tsb_backend_owner out library)
  set(${out} "" PARENT_SCOPE)
  set(${out}_file "" PARENT_SCOPE)
  z_tsb_backend_folders(folders)
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

# z_tsb_backend_opened_by_name(<out-var>): SONAMEs of libraries that no other names as needed, such as NVRTC's builtins
# and cuDNN's parts.
function(z_tsb_backend_opened_by_name out)
  z_tsb_backend_folders(folders)
  z_tsb_backend_library_names(libraries "${artifact_backend_kind}")
  set(names "")
  foreach(library IN LISTS libraries)
    z_tsb_backend_libraries(facts "${artifact_backend_kind}" ${library})
    z_tsb_json_take(facts opened_by_name)
    foreach(folder IN LISTS folders)
      file(GLOB found RELATIVE "${folder}" "${folder}/*.so.*")
      list(FILTER found INCLUDE REGEX "^(${opened_by_name})$")
      list(APPEND names ${found})
    endforeach()
  endforeach()
  list(SORT names)
  list(REMOVE_DUPLICATES names)
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# z_tsb_backend_library_version(<out-var> <versions> <SONAME>): from what the hook `versions` gives; for what is not in
# it, empty.
function(z_tsb_backend_library_version out versions soname)
  z_tsb_backend_library_of(library "${artifact_backend_kind}" "${soname}")
  z_tsb_json_take(library name)
  set(version "")
  if(name)
    z_tsb_json_get(version "${versions}" ${name})
  endif()
  set(${out} "${version}" PARENT_SCOPE)
endfunction()
