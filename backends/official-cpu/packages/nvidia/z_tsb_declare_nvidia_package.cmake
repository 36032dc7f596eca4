# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../../cmake/backend/z_tsb_backend_libraries.cmake)
set(Z_TSB_NVIDIA_WHEELS "${CMAKE_CURRENT_LIST_DIR}")

# z_tsb_nvidia_sources(<out-var> <kind> <package>): those of the pins of the release that have libraries of the package,
# by libraries.json of that backend.
function(z_tsb_nvidia_sources out kind package)
  z_tsb_backend_library_names(libraries ${kind} PACKAGE ${package})
  set(sources "")
  foreach(library IN LISTS libraries)
    z_tsb_backend_libraries(facts ${kind} ${library})
    z_tsb_json_get(project "${facts}" wheel project)
    if(project IN_LIST model_sources)
      list(APPEND sources ${project})
    endif()
  endforeach()
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()

# z_tsb_declare_nvidia_package(<kind> <package>): declares a package with libraries of NVIDIA, out of NVIDIA's wheels;
# nothing where the release has none of them. Arguments as above.
function(z_tsb_declare_nvidia_package kind package)
  z_tsb_nvidia_sources(sources ${kind} ${package})
  if(sources)
    list(POP_FRONT sources first)
    tsb_declare_package(
      ${package}
      DESCRIPTION "NVIDIA's libraries, out of their wheels"
      SOURCE ${first}
      SOURCES ${sources}
      BUILD_SYSTEM none
      STAGE_SCRIPTS "${Z_TSB_NVIDIA_WHEELS}/copy_from_wheels.cmake"
      LICENSE_FILES LICENSE
    )
  endif()
endfunction()
