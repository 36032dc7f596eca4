# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_placed_sources.cmake)

# z_tsb_collect_licenses(<package json>)
#
# Copies the licence texts of a package and of every source placed in its tree to licenses/<package or source>/.
# A declared licence file that is not there, and a placed source without one, is an error: an artifact without the
# licence text of what is in it must not be shipped.
function(z_tsb_collect_licenses package)
  z_tsb_json_get(name "${package}" name)
  set(tree "${TSB_PACKAGE_DIR}/source")
  set(licenses "${TSB_PACKAGE_DIR}/licenses")
  file(REMOVE_RECURSE "${licenses}")

  z_tsb_json_get_list(patterns "${package}" license_files)
  foreach(pattern IN LISTS patterns)
    file(GLOB files "${tree}/${pattern}")
    if(NOT files)
      tsb_fail(
        "package ${name}: its licence file ${pattern} is not in ${tree}"
        "correct LICENSE_FILES in superbuild/${name}.cmake"
      )
    endif()
    file(COPY ${files} DESTINATION "${licenses}/${name}")
  endforeach()

  file(READ "${TSB_PACKAGE_DIR}/sources.json" sources)
  z_tsb_json_get_list(spare "${package}" spare_sources)
  z_tsb_placed_sources(names folders "${package}" "${sources}")
  foreach(source folder IN ZIP_LISTS names folders)
    set(found FALSE)
    z_tsb_json_get(status "${sources}" ${source} status)
    z_tsb_json_get(license_file "${sources}" ${source} license_file)
    if(status STREQUAL "included" AND license_file)
      # Its place is a folder of its repository, whose text lies outside: nobody has moved it.
      z_tsb_json_get(subdir "${sources}" ${source} subdir)
      string(REGEX REPLACE "/${subdir}$" "" repository "${tree}/${folder}")
      if(EXISTS "${repository}/${license_file}")
        set(found TRUE)
        file(COPY "${repository}/${license_file}" DESTINATION "${licenses}/${source}")
      endif()
    endif()
    foreach(
      pattern
      IN
      ITEMS LICENSE* LICENCE* COPYING* COPYRIGHT* NOTICE* copyright
    )
      file(GLOB files LIST_DIRECTORIES FALSE "${tree}/${folder}/${pattern}")
      if(files)
        set(found TRUE)
        file(COPY ${files} DESTINATION "${licenses}/${source}")
      endif()
    endforeach()
    if(NOT found AND NOT source IN_LIST spare)
      tsb_fail(
        "package ${name}: ${folder} (source ${source}) has no licence file"
        "add a 'license_file' to the source's pin, or another candidate that carries its licence"
      )
    endif()
  endforeach()
endfunction()
