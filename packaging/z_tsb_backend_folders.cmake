# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_backend_folders(<out-var>): the folders of libraries of the packages with a backend's libraries, which an
# artifact may bundle (`packages` of its backend.json): views of what this machine has, and what was built. Those that
# there are; none for the CPU.
function(z_tsb_backend_folders out)
  set(folders "")
  foreach(package IN LISTS artifact_backend_packages)
    if(IS_DIRECTORY "${artifact_build_folder}/packages/${package}/install/lib")
      list(APPEND folders "${artifact_build_folder}/packages/${package}/install/lib")
    endif()
  endforeach()
  set(${out} "${folders}" PARENT_SCOPE)
endfunction()
