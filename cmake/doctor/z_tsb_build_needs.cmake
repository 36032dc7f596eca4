# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
z_tsb_build_needs
-----------------

``z_tsb_build_needs(<prefix> <debug info> <row>...)`` says what a build may take of the machine, for the
doctor: ``<prefix>_BUILD_DISK_MB``, ``<prefix>_STORE_DISK_MB``, ``<prefix>_SOURCES_DISK_MB``, ``<prefix>_DIST_DISK_MB``,
``<prefix>_MEMORY_MB``.
What a backend adds is its hook ``needs``; the memory is in its data (``memory_mb``).

These are the CPU's numbers. docs/benchmarks.md has what was measured, or estimated; a third is added to it here.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/tsb_ask_backend.cmake)

function(z_tsb_build_needs prefix debug_info)
  list(LENGTH ARGN artifacts)
  # Measured: cpu-all, four artifacts, took at most 6.7 GB without debug information and 13.3 GB with line numbers; its
  # store 2.4 GB. With all of it: computed from the sizes of objects.
  set(disk_none 5500 1500)
  set(disk_lines 8500 2500)
  set(disk_full 25000 8000)
  set(disk ${disk_${debug_info}})
  set(store 2500)
  set(sources 400)
  set(more 0)
  if(backend_prebuilt) # measured: 1.9 GB with one artifact
    set(disk 1300 1700)
    set(store 800)
  endif()
  list(POP_FRONT disk build each)

  tsb_ask_backend(needs backend needs ${debug_info} "${ARGN}")
  if(needs)
    list(POP_FRONT needs more store)
    list(APPEND needs ${sources})
    list(GET needs 0 sources)
  endif()
  math(EXPR more "${more} + ${each} * ${artifacts}")
  math(EXPR build "${build} + ${more}")
  math(EXPR dist "${more} / 5") # the packed files are at most that part
  set(${prefix}_BUILD_DISK_MB ${build} PARENT_SCOPE)
  set(${prefix}_STORE_DISK_MB ${store} PARENT_SCOPE)
  set(${prefix}_SOURCES_DISK_MB ${sources} PARENT_SCOPE)
  set(${prefix}_DIST_DISK_MB ${dist} PARENT_SCOPE)
  set(${prefix}_MEMORY_MB ${backend_memory_mb} PARENT_SCOPE)
endfunction()
