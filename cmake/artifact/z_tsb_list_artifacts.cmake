# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

# z_tsb_list_artifacts(<out-var> <release json> <backend json> <version>): what can be made of a release with a backend:
# a list of JSON objects, those of packaging/artifacts.json. What depends on the Python is there once for each Python of
# the release, and wheels in the backend's styles. A backend may have only some (its `artifacts`). <version> is the
# artifacts', 9.9.0+cpu.
function(z_tsb_list_artifacts out release backend version)
  file(READ "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../packaging/artifacts.json" table)
  z_tsb_json_get_list(templates "${table}" artifacts)
  z_tsb_json_get_list(pythons "${release}" pythons)
  z_tsb_json_get_list(styles "${backend}" wheel_styles)
  z_tsb_json_get(made "${backend}" artifacts)
  set(artifacts "")
  foreach(template IN LISTS templates)
    z_tsb_json_take(template name style python linkage deps)
    z_tsb_json_get(libtorch_zip "${release}" libtorch_zip)
    z_tsb_json_get(prebuilt "${backend}" prebuilt)
    if(prebuilt) # whichever ABI it has
      set(libtorch_zip "libtorch-@linkage@-@deps@-@version@.zip")
    endif()
    string(CONFIGURE "${libtorch_zip}" libtorch_zip @ONLY)
    if((style AND NOT style IN_LIST styles) OR (made AND NOT name MATCHES "^(${made})$"))
      continue()
    endif()
    set(versions none)
    if(python)
      set(versions ${pythons})
    endif()
    foreach(python IN LISTS versions)
      string(REPLACE "." "" digits "${python}")
      string(CONFIGURE "${template}" artifact @ONLY)
      list(APPEND artifacts "${artifact}")
    endforeach()
  endforeach()
  set(${out} "${artifacts}" PARENT_SCOPE)
endfunction()
