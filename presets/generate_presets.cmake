# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
generate_presets
----------------

Write the preset files from ``presets/matrix.json``, since ``cmake --workflow`` takes no ``-D``. ::

  cmake -P presets/generate_presets.cmake              # write presets/<backend>.json and CMakePresets.json
  cmake -D CHECK=ON -P presets/generate_presets.cmake  # change nothing; fail when a file differs
  cmake -D TABLE=ON -P presets/generate_presets.cmake  # print the presets as a Markdown table

``MATRIX``
  Another matrix. By default the one beside this script.
``ROOT``
  Another folder to write to or to compare with. By default the project's root.

One object of ``backends`` gives one file. It has ``name``, ``title``, ``presets`` and may have ``pytorch``, ``blas``
(to differ from the whole matrix) and ``variables`` (further cache variables of each preset). Instead of ``presets`` it may
name a set of ``rows`` that several backends share; rows for a Python that its release of PyTorch is not made for are
left out. ``cuda`` is a version: ``TSB_CUDA_VERSION`` is set to it, and the release is the newest here that supports it
(see tsb_cuda_release); without one there are no presets. One object of its
``presets`` gives one preset: ``product`` is ``libtorch`` (with ``linkage`` and ``deps``), ``wheel`` or ``conda``
(with ``python``; a wheel may have ``style``, ``small`` or ``large``), or ``all`` (the artifacts of all other presets of the backend in one configure); it may have
``variables``, too, and ``blas``, to differ from its backend: the preset's name then ends in it.
#]]
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/cuda/tsb_cuda_release.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/detail/matrix.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/detail/render.cmake)

if(NOT DEFINED MATRIX)
  set(MATRIX ${CMAKE_CURRENT_LIST_DIR}/matrix.json)
endif()
if(NOT DEFINED ROOT)
  get_filename_component(ROOT ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
endif()

file(READ ${MATRIX} matrix)
z_tsb_matrix_names(backends "${matrix}")

if(TABLE)
  z_tsb_matrix_table(table "${matrix}")
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo_append "${table}")
  return()
endif()

set(differing)
function(put file text)
  set(old)
  if(EXISTS ${ROOT}/${file})
    file(READ ${ROOT}/${file} old)
  endif()
  if(old STREQUAL text)
    return()
  endif()
  if(CHECK)
    list(APPEND differing ${file})
    set(differing ${differing} PARENT_SCOPE)
  else()
    file(WRITE ${ROOT}/${file}.tmp "${text}")
    file(RENAME ${ROOT}/${file}.tmp ${ROOT}/${file})
    message(STATUS "Wrote ${file}")
  endif()
endfunction()

set(files presets/base.json presets/cuda.json presets/tests.json presets/matrix.json)
foreach(backend IN LISTS backends)
  z_tsb_render_backend(text "${matrix}" ${backend})
  put(presets/${backend}.json "${text}")
  list(APPEND files presets/${backend}.json)
endforeach()
z_tsb_render_root(text "${backends}")
put(CMakePresets.json "${text}")

# A backend that left the matrix must not live on as a file.
file(GLOB present RELATIVE ${ROOT} ${ROOT}/presets/*.json)
list(REMOVE_ITEM present ${files})
foreach(file IN LISTS present)
  if(CHECK)
    list(APPEND differing ${file})
  else()
    file(REMOVE ${ROOT}/${file})
    message(STATUS "Removed ${file}: its backend is not in the matrix")
  endif()
endforeach()

if(differing)
  list(JOIN differing ", " differing)
  message(
    FATAL_ERROR "These files differ from what presets/matrix.json gives: ${differing}\n"
                "Write them again: cmake -P presets/generate_presets.cmake"
  )
endif()
