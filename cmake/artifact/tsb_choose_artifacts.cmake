# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_choose_artifacts
--------------------

What is to be made, by the settings of the preset. ::

  tsb_choose_artifacts(<out-var>)

``TSB_ARTIFACTS`` has the artifacts' names, or ``all``: everything that there is of the release with this backend,
whose Python is on the machine (``TSB_PYTHONS`` chooses others; a line says what is left out) and whose ``setting`` is
not OFF; of slices, what is cut. What
another one needs is also made. Sets for the caller:

``<out-var>``
  The names of what is made, ``wheel-py312``. Each is there once for each of ``slices``, with the slice's name at the
  end: ``wheel-py312-sm90``.
``<out-var>_ROWS``
  The row of each (the record ``artifact_rows``, :command:`tsb_load_model`): ``wheel-py312``.
``slices_...``
  The record of what the backend's hook ``slices`` names: ``slices_slices`` are numbers, ``slices_slices_0_name``, which
  is in its name and version (``9.9.0+cu124.sm90``), and ``slices_slices_0_archs``, whose device code is kept.
  Empty where each artifact has everything.
``<out-var>_ERROR``
  An empty string, or: an artifact that the release does not have, or that cannot be sliced.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/tsb_ask_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_load_model.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_find_python.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../release/z_tsb_why_refused.cmake)

# z_tsb_chosen_pythons(<out-var>): those of the release that `all` takes.
function(z_tsb_chosen_pythons out)
  set(chosen ${TSB_PYTHONS})
  if(chosen STREQUAL "none")
    set(chosen "")
  elseif(NOT chosen)
    foreach(python IN LISTS release_pythons)
      tsb_find_python(${python} EXECUTABLE executable DESCRIPTION description ERROR error)
      if(error)
        message(STATUS "Artifacts for Python ${python} are left out: ${error}")
        set_property(GLOBAL APPEND PROPERTY TSB_LEFT_OUT ${python}) # for the last lines
      else()
        list(APPEND chosen ${python})
      endif()
    endforeach()
  endif()
  set(${out} "${chosen}" PARENT_SCOPE)
endfunction()

# z_tsb_chosen_rows(<out-var>): the rows that are chosen, with those that they need before them.
function(z_tsb_chosen_rows out)
  set(wanted ${TSB_ARTIFACTS})
  if(TSB_ARTIFACTS STREQUAL "all")
    set(wanted ${model_artifacts})
    z_tsb_chosen_pythons(pythons)
  endif()
  set(rows "")
  foreach(name IN LISTS wanted)
    set(python "${artifact_rows_${name}_python}")
    set(setting "${artifact_rows_${name}_setting}")
    if(
      TSB_ARTIFACTS STREQUAL "all" AND setting AND ("${${setting}}" STREQUAL "OFF" OR NOT "${slices_slices}" STREQUAL ""
                                                   )
    )
      continue()
    endif()
    if(NOT TSB_ARTIFACTS STREQUAL "all" OR python STREQUAL "" OR python IN_LIST pythons)
      list(APPEND rows ${artifact_rows_${name}_needs} ${name})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES rows)
  set(${out} "${rows}" PARENT_SCOPE)
endfunction()

macro(tsb_choose_artifacts out)
  tsb_ask_backend(z_tsb_slices backend slices)
  tsb_set_record(slices z_tsb_slices)
  z_tsb_choose_artifacts(${out})
endmacro()

# z_tsb_choose_artifacts(<out-var>): of tsb_choose_artifacts().
function(z_tsb_choose_artifacts out)
  set(error "")
  set(unknown ${TSB_ARTIFACTS})
  list(REMOVE_ITEM unknown all ${model_artifacts})
  foreach(name IN LISTS unknown)
    list(JOIN model_artifacts ", " known)
    z_tsb_why_refused(reason "${name}")
    set(pytorch "PyTorch ${TSB_SOURCE_VERSION} for ${TSB_BACKEND}")
    string(APPEND error "  TSB_ARTIFACTS names '${name}', which ${pytorch} does not have${reason}\n")
    string(APPEND error "  there are: ${known}; or all, without others\n")
  endforeach()
  z_tsb_chosen_rows(chosen)
  foreach(name IN LISTS chosen)
    if(artifact_rows_${name}_tree STREQUAL "package" AND NOT "${slices_slices}" STREQUAL "")
      string(
        APPEND error "  '${name}' cannot be sliced\n  remove it from TSB_ARTIFACTS, or unset the setting of slices\n"
      )
    endif()
  endforeach()
  set(names "")
  set(rows "")
  foreach(index IN LISTS slices_slices)
    list(APPEND rows ${chosen})
    list(TRANSFORM chosen APPEND "-${slices_slices_${index}_name}" OUTPUT_VARIABLE of_slice)
    list(APPEND names ${of_slice})
  endforeach()
  if("${slices_slices}" STREQUAL "") # "0" is the number of the only one
    set(names ${chosen})
    set(rows ${chosen})
  endif()
  set(${out} "${names}" PARENT_SCOPE)
  set(${out}_ROWS "${rows}" PARENT_SCOPE)
  set(${out}_ERROR "${error}" PARENT_SCOPE)
endfunction()
