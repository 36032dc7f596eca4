# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/z_tsb_backend_packages.cmake)

# z_tsb_strip_built(<out-var> <artifact json> <folder>): <folder> with the backend's libraries that were built here,
# without the debug information that all our packages are compiled with; what others compiled has none. Empty when there
# are none.
function(z_tsb_strip_built out artifact folder)
  set(${out} "" PARENT_SCOPE)
  z_tsb_json_take(artifact build_folder objcopy backend)
  z_tsb_json_get_list(packages "${backend}" packages)
  foreach(package IN LISTS packages)
    z_tsb_machine_of_package(machine "${artifact}" ${package})
    file(GLOB libraries "${build_folder}/packages/${package}/install/lib/*.so.*")
    list(FILTER libraries INCLUDE REGEX "\\.so\\.[0-9]+$") # by their SONAMEs
    if(NOT machine STREQUAL "{}" OR NOT libraries)
      continue()
    endif()
    file(MAKE_DIRECTORY "${folder}")
    foreach(library IN LISTS libraries)
      get_filename_component(name "${library}" NAME)
      execute_process(COMMAND "${objcopy}" --strip-unneeded "${library}" "${folder}/${name}" RESULT_VARIABLE result)
      if(NOT result EQUAL 0)
        tsb_fail("cannot strip ${library}" "see the message above")
      endif()
    endforeach()
    set(${out} "${folder}" PARENT_SCOPE)
  endforeach()
endfunction()

# z_tsb_bundle(<artifact json> <root of a tree> <report> [<option>...]): `torchpkg bundle` on <root>, copying what the
# libraries need for an artifact with deps, and only setting the RPATH for one without. The backend's libraries come
# from the superbuild's packages; those that its hook `wheel_folders` names are left to other wheels, to which the
# RPATHs then lead.
function(z_tsb_bundle artifact root report)
  z_tsb_json_take(artifact build_folder)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_take(settings torchpkg)
  z_tsb_json_take(artifact deps)
  set(mode --rename)
  if(deps STREQUAL "without-deps")
    set(mode --rpath-only)
  endif()
  z_tsb_json_take(artifact soname_version)
  if(soname_version)
    list(APPEND mode --soname-version "${soname_version}")
  endif()
  z_tsb_backend_folders(folders "${artifact}")
  if(folders)
    get_filename_component(stage "${report}" DIRECTORY)
    z_tsb_strip_built(stripped "${artifact}" "${stage}/stripped")
    list(PREPEND folders ${stripped})
    string(REPLACE ";" "\\;" folders "${folders}") # one argument
    list(APPEND mode --search "${folders}")
    z_tsb_backend_opened_by_name(opened "${artifact}")
    foreach(name IN LISTS opened)
      list(APPEND mode --also ${name})
    endforeach()
    z_tsb_json_take(artifact backend)
    tsb_ask_backend(elsewhere "${backend}" wheel_folders "${artifact}")
    foreach(pair IN LISTS elsewhere)
      list(APPEND mode --elsewhere "${pair}")
    endforeach()
  endif()
  execute_process(
    COMMAND "${torchpkg}" bundle --root "${root}" ${mode} --report "${report}" ${ARGN} RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    tsb_fail("cannot bundle the libraries that libtorch needs" "see the message above")
  endif()
endfunction()
