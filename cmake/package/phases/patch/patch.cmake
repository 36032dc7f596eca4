# SPDX-License-Identifier: BSD-3-Clause
# Phase patch: unpacks the sources, completes the tree and applies the patches. The tree is made anew each time,
# beside, and takes its place when it is whole. The build folder goes: the files of an archive are older than any
# object, so that Ninja would not see which of them are others now. The compiler cache makes up for it.
include("${CMAKE_CURRENT_LIST_DIR}/../../z_tsb_sources.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_placed_sources.cmake")

# z_tsb_unpack(<package json> <source> <destination>). When it fails, the next run asks fetch again, which would
# otherwise have nothing to do.
function(z_tsb_unpack package source destination)
  z_tsb_json_take(package build_folder)
  z_tsb_sources(
    result "${build_folder}" unpack --sources "${TSB_PACKAGE_DIR}/sources.json" --name ${source} --destination
    "${destination}"
  )
  if(NOT result EQUAL 0)
    z_tsb_step_begin(sources fetch)
    tsb_fail("cannot unpack source ${source} into ${destination}")
  endif()
endfunction()

# z_tsb_patch(<package json> <sources json> <source> <tree> <folder>): applies the patches of a source, wherever it came
# from, to its folder below the tree.
function(z_tsb_patch package sources source tree folder)
  z_tsb_json_get(patches "${package}" patches ${source})
  if(patches STREQUAL "")
    return()
  endif()
  set(origin "")
  z_tsb_json_get(main "${sources}" ${source} in)
  if(main)
    z_tsb_json_get(kind "${sources}" ${main} kind)
    z_tsb_json_get(archive "${sources}" ${main} archive)
    string(APPEND archive "/${folder}")
  else()
    z_tsb_json_get(kind "${sources}" ${source} kind)
    z_tsb_json_get(archive "${sources}" ${source} archive)
  endif()
  if(kind STREQUAL "folder")
    set(origin "${archive}")
  endif()
  z_tsb_json_take(package build_folder)
  z_tsb_sources(
    result "${build_folder}" patch --package "${TSB_PACKAGE_DIR}/package.json" --name ${source} --tree
    "${tree}/${folder}" "--folder=${origin}"
  )
  if(NOT result EQUAL 0)
    tsb_fail("the patches of source ${source} do not apply")
  endif()
endfunction()

function(z_tsb_phase_patch package)
  file(READ "${TSB_PACKAGE_DIR}/sources.json" sources)
  z_tsb_json_get(main "${package}" source)
  z_tsb_json_take(package name)
  set(tree "${TSB_PACKAGE_DIR}/source.new")
  tsb_progress("${name} patch: removing the former tree")
  file(REMOVE_RECURSE "${tree}" "${TSB_PACKAGE_DIR}/source" "${TSB_PACKAGE_DIR}/build")
  if(main STREQUAL "")
    file(MAKE_DIRECTORY "${tree}")
  else()
    tsb_progress("${name} patch: unpacking ${main}")
    z_tsb_unpack("${package}" ${main} "${tree}")
  endif()

  z_tsb_placed_sources(names folders "${package}" "${sources}")
  z_tsb_json_get_list(spare "${package}" spare_sources)
  set(empty "")
  list(LENGTH names count)
  set(number 0)
  foreach(source folder IN ZIP_LISTS names folders)
    math(EXPR number "${number} + 1")
    z_tsb_json_get(status "${sources}" ${source} status)
    if(status STREQUAL "included")
      file(GLOB content "${tree}/${folder}/*")
      if(NOT content AND NOT source IN_LIST spare)
        list(APPEND empty "${folder}")
      endif()
      continue()
    endif()
    tsb_progress("${name} patch: unpacking ${source}, ${number} of ${count} below ${main}")
    # An archive of the main source may hold an empty folder, or a link, in the submodule's place.
    file(REMOVE_RECURSE "${tree}/${folder}")
    z_tsb_unpack("${package}" ${source} "${tree}/${folder}")
  endforeach()
  if(empty)
    list(JOIN empty ", " empty)
    z_tsb_json_get(archive "${sources}" ${main} archive)
    tsb_fail(
      "${archive} lacks submodules that its pin says are inside: ${empty}"
      "take \"complete\" out of its pin, or name folders with them as TSB_LOCAL_<source>"
    )
  endif()

  # Only now, since a patch may depend on what lies in another source's place.
  foreach(source folder IN ZIP_LISTS names folders)
    z_tsb_patch("${package}" "${sources}" ${source} "${tree}" "${folder}")
  endforeach()
  if(main)
    z_tsb_patch("${package}" "${sources}" ${main} "${tree}" "")
  endif()

  file(RENAME "${tree}" "${TSB_PACKAGE_DIR}/source")
endfunction()
