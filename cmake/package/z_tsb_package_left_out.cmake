# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_read_record.cmake)

# z_tsb_package_left_out(<out-var> <folder of the package>): the sources that no provider has, because of which a
# package that others can do without is left out; empty otherwise. It then has no phases, install tree or manifest,
# nothing finds it, and the features that need it are off.
function(z_tsb_package_left_out out folder)
  set(missing "")
  if(EXISTS "${folder}/sources.json")
    tsb_read_record("${folder}/package.json" package)
    if(package_optional)
      tsb_read_record("${folder}/sources.json" sources)
      foreach(name IN LISTS sources_members)
        if(sources_${name}_status STREQUAL "missing")
          list(APPEND missing "${name}")
        endif()
      endforeach()
    endif()
  endif()
  set(${out} "${missing}" PARENT_SCOPE)
endfunction()
