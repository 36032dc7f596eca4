# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

# z_tsb_package_left_out(<out-var> <folder of the package>): the sources that no provider has, because of which a
# package that others can do without is left out; empty otherwise. It then has no phases, install tree or manifest,
# nothing finds it, and the features that need it are off.
function(z_tsb_package_left_out out folder)
  set(missing "")
  if(EXISTS "${folder}/sources.json")
    file(READ "${folder}/package.json" package)
    z_tsb_json_take(package optional)
    if(optional)
      file(READ "${folder}/sources.json" sources)
      z_tsb_json_members(names "${sources}")
      foreach(name IN LISTS names)
        z_tsb_json_get(status "${sources}" "${name}" status)
        if(status STREQUAL "missing")
          list(APPEND missing "${name}")
        endif()
      endforeach()
    endif()
  endif()
  set(${out} "${missing}" PARENT_SCOPE)
endfunction()
