# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_plan_artifacts
------------------

Keeps what configure knows of the artifacts for :command:`tsb_plan_packages`, which has ``artifacts/<name>.json``
written for each: its row, release, backend, target, and what decides what is in it. ::

  tsb_plan_artifacts(<row>...) # see tsb_choose_artifacts; each row once

Errors: those of the backend's hook ``slice``.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/tsb_ask_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_json_object.cmake)

# z_tsb_planned_slice(<out-var> <index>): JSON of one: name, archs, what the backend has instead in `configured`.
function(z_tsb_planned_slice out index)
  set(slice_name "${slices_slices_${index}_name}")
  set(slice_archs "${slices_slices_${index}_archs}")
  tsb_ask_backend(slice_configured backend slice ${slice_archs})
  tsb_json_object(slice slice_ TEXTS name LISTS archs OBJECTS configured)
  set(${out} "${slice}" PARENT_SCOPE)
endfunction()

function(tsb_plan_artifacts)
  set(plan_slices "")
  foreach(index IN LISTS slices_slices)
    z_tsb_planned_slice(slice ${index})
    string(APPEND plan_slices ", ${slice}")
  endforeach()
  string(REGEX REPLACE "^, " "" plan_slices "${plan_slices}")
  set(plan_slices "[${plan_slices}]")
  set(plan_rows ${ARGN})
  set(plan_asked "${TSB_ARTIFACTS}")
  set(plan_preset "${TSB_PRESET}")
  set(plan_blas "${TSB_BLAS}")
  set(plan_source_version "${TSB_SOURCE_VERSION}")
  set(plan_nightly "${TSB_NIGHTLY}")
  set(plan_candidate "${TSB_CANDIDATE}")
  set(plan_suffix "${TSB_VERSION_SUFFIX}")
  set(plan_build_number "${TSB_BUILD_NUMBER}")
  set(plan_soname_version false)
  if(TSB_SONAME_VERSION)
    set(plan_soname_version true)
  endif()
  set(plan_compiler "${CMAKE_CXX_COMPILER}")
  set(plan_objcopy "${CMAKE_OBJCOPY}")
  if(target_cross)
    set(plan_compiler "${target_cxx_compiler}")
    set(plan_objcopy "${target_objcopy}")
  endif()
  tsb_json_object(
    artifacts plan_ TEXTS asked preset blas source_version nightly candidate suffix build_number compiler objcopy LISTS
    rows OBJECTS slices soname_version
  )
  set_property(GLOBAL PROPERTY TSB_PLANNED_ARTIFACTS "${artifacts}")
endfunction()
