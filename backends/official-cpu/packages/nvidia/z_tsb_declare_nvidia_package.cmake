# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
set(Z_TSB_NVIDIA_WHEELS "${CMAKE_CURRENT_LIST_DIR}")

# z_tsb_declare_nvidia_package(<package>): declares a package with libraries of NVIDIA, out of those of NVIDIA's wheels
# that the pins have; nothing where they have none.
function(z_tsb_declare_nvidia_package package)
  set(sources ${libraries_${package}_sources})
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
