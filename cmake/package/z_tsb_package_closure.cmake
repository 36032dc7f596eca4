# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

# z_tsb_package_closure(<out-var> <folder of the packages> <package>...): the given packages and all that they need, in
# the order in which they are met.
function(z_tsb_package_closure out packages)
  set(closure "")
  set(pending ${ARGN})
  while(pending)
    list(POP_FRONT pending name)
    if(name IN_LIST closure)
      continue()
    endif()
    list(APPEND closure ${name})
    file(READ "${packages}/${name}/package.json" package)
    z_tsb_json_get_list(depends "${package}" depends)
    list(APPEND pending ${depends})
  endwhile()
  set(${out} "${closure}" PARENT_SCOPE)
endfunction()
