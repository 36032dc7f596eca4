# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_doctor_build
----------------

Asks the doctor for what the settings and the artifacts of this build need, and sets what tsb_doctor sets. ::

  tsb_doctor_build(<out-var of the error> <row>...) # see tsb_choose_artifacts

Says what is known of the artifacts' cells (``docs/cells.md``), but for a PyTorch of the user's. Packages alone
(``TSB_PACKAGES``) have no artifacts; those without PyTorch, and artifacts of another package, do not
need what only PyTorch and its features need of the backend (``checks_of_pytorch``), nor the disk that a whole build
takes, which is in ``<out-var>_NEEDS`` for the plan: MB of the build folder, the store, the source cache, ``dist/``.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_doctor.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_build_needs.cmake)

# z_tsb_say_cells(<row>...): a line for all artifacts of which the same is known.
function(z_tsb_say_cells)
  set(cells "")
  foreach(row IN LISTS ARGN)
    set(cell "${artifact_rows_${row}_cell_word}")
    foreach(member IN ITEMS tree where when)
      if(artifact_rows_${row}_cell_${member})
        string(APPEND cell ", ${artifact_rows_${row}_cell_${member}}")
      endif()
    endforeach()
    list(APPEND cells "${cell}")
    list(APPEND "rows of ${cell}" ${row})
  endforeach()
  list(REMOVE_DUPLICATES cells)
  foreach(cell IN LISTS cells)
    list(JOIN "rows of ${cell}" ", " rows)
    message(STATUS "PyTorch ${TSB_PYTORCH_VERSION} for ${TSB_BACKEND}, ${rows}: ${cell}")
  endforeach()
endfunction()

function(tsb_doctor_build out)
  if(NOT TSB_LOCAL_pytorch)
    z_tsb_say_cells(${ARGN})
  endif()
  set(pythons "")
  set(packages ${TSB_PACKAGES})
  foreach(row IN LISTS ARGN)
    list(APPEND pythons ${artifact_rows_${row}_python})
    list(APPEND packages ${artifact_rows_${row}_package})
  endforeach()
  list(REMOVE_DUPLICATES pythons)
  set(checks "")
  if(packages MATCHES "pytorch|openblas")
    list(APPEND checks openmp)
  endif()
  if(pythons)
    list(APPEND checks pythons)
  endif()
  # For another processor the backend's tools.txt names its gfortran.
  if(TSB_BLAS STREQUAL "openblas" AND NOT backend_prebuilt AND NOT target_cross)
    list(APPEND checks fortran)
  endif()
  if(TSB_STORE_REMOTE)
    list(APPEND checks remote_store)
  endif()
  z_tsb_build_needs(needs ${TSB_DEBUG_INFO} ${ARGN})
  tsb_doctor(
    EXTRA_CHECKS ${checks}
    PYTHONS ${pythons} PACKAGES ${packages}
    SOURCE_DIR "${CMAKE_SOURCE_DIR}" BUILD_DIR "${CMAKE_BINARY_DIR}"
    WRITABLE "${TSB_DIST}" "${TSB_STORE}" "${TSB_SOURCES}"
    DISK "${CMAKE_BINARY_DIR}" ${needs_BUILD_DISK_MB} "${TSB_STORE}" ${needs_STORE_DISK_MB} "${TSB_SOURCES}"
                               ${needs_SOURCES_DISK_MB} "${TSB_DIST}" ${needs_DIST_DISK_MB}
    MEMORY_MB ${needs_MEMORY_MB} RESULT_ERROR error
  )
  set(${out} "${error}" PARENT_SCOPE)
  set(${out}_NEEDS "" PARENT_SCOPE)
  if(packages MATCHES "pytorch")
    set(
      ${out}_NEEDS ${needs_BUILD_DISK_MB} ${needs_STORE_DISK_MB} ${needs_SOURCES_DISK_MB} ${needs_DIST_DISK_MB}
      PARENT_SCOPE
    )
  endif()
  get_property(exports GLOBAL PROPERTY TSB_DOCTOR_EXPORTS)
  foreach(variable IN LISTS exports)
    set(${variable} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()
