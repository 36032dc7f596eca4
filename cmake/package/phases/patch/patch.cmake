# SPDX-License-Identifier: BSD-3-Clause
# Phase patch: unpacks the sources, completes the tree and applies the patches. The tree is made anew each time,
# beside, and takes its place when it is whole. The build folder goes: the files of an archive are older than any
# object, so that Ninja would not see which of them are others now. The compiler cache makes up for it.
include("${CMAKE_CURRENT_LIST_DIR}/../../../python/tsb_call_python.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_placed_sources.cmake")

# z_tsb_unpack(<source> <destination>). When it fails, the next run asks fetch again, which would otherwise have nothing
# to do.
function(z_tsb_unpack source destination)
  tsb_call_python(
    "${package_build_folder}" sources.unpack "${TSB_PACKAGE_DIR}/sources.json" ${source} "${destination}" STATUS result
  )
  if(NOT result EQUAL 0)
    z_tsb_step_begin(sources fetch)
    tsb_python_failed(sources.unpack "${result}")
  endif()
endfunction()

# z_tsb_patch(<source> <tree> <folder>): applies the patches of a source, wherever it came from, to its folder below the
# tree.
function(z_tsb_patch source tree folder)
  if(NOT source IN_LIST package_patches)
    return()
  endif()
  set(origin "")
  set(main "${sources_${source}_in}")
  if(main AND "${sources_${main}_kind}" STREQUAL "folder")
    set(origin "${sources_${main}_archive}/${folder}")
  elseif(NOT main AND "${sources_${source}_kind}" STREQUAL "folder")
    set(origin "${sources_${source}_archive}")
  endif()
  tsb_call_python(
    "${package_build_folder}" sources.patches "${TSB_PACKAGE_DIR}/package.json" ${source} "${tree}/${folder}" ${origin}
  )
endfunction()

function(z_tsb_phase_patch)
  tsb_read_record("${TSB_PACKAGE_DIR}/sources.json" sources)
  set(tree "${TSB_PACKAGE_DIR}/source.new")
  tsb_progress("${package_name} patch: removing the former tree")
  file(REMOVE_RECURSE "${tree}" "${TSB_PACKAGE_DIR}/source" "${TSB_PACKAGE_DIR}/build")
  if(package_source STREQUAL "")
    file(MAKE_DIRECTORY "${tree}")
  else()
    tsb_progress("${package_name} patch: unpacking ${package_source}")
    z_tsb_unpack(${package_source} "${tree}")
  endif()

  z_tsb_placed_sources(names folders)
  set(empty "")
  list(LENGTH names count)
  set(number 0)
  foreach(source folder IN ZIP_LISTS names folders)
    math(EXPR number "${number} + 1")
    if("${sources_${source}_status}" STREQUAL "included")
      file(GLOB content "${tree}/${folder}/*")
      if(NOT content AND NOT source IN_LIST package_spare_sources)
        list(APPEND empty "${folder}")
      endif()
      continue()
    endif()
    tsb_progress("${package_name} patch: unpacking ${source}, ${number} of ${count} below ${package_source}")
    # An archive of the main source may hold an empty folder, or a link, in the submodule's place.
    file(REMOVE_RECURSE "${tree}/${folder}")
    z_tsb_unpack(${source} "${tree}/${folder}")
  endforeach()
  if(empty)
    list(JOIN empty ", " empty)
    tsb_fail(
      "${sources_${package_source}_archive} lacks submodules that its pin says are inside: ${empty}"
      "take \"complete\" out of its pin, or name folders with them as TSB_LOCAL_<source>"
    )
  endif()

  # Only now, since a patch may depend on what lies in another source's place.
  foreach(source folder IN ZIP_LISTS names folders)
    z_tsb_patch(${source} "${tree}" "${folder}")
  endforeach()
  if(package_source)
    z_tsb_patch(${package_source} "${tree}" "")
  endif()

  file(RENAME "${tree}" "${TSB_PACKAGE_DIR}/source")
endfunction()
