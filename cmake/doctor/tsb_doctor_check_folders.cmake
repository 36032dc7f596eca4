# SPDX-License-Identifier: BSD-3-Clause
# Names of the source and build folders (doctor_SOURCE_DIR, doctor_BUILD_DIR), and of a checkout that is built where it
# is, that CMake or the linker cannot work in, and folders that have to be written to (doctor_WRITABLE).
function(tsb_doctor_check_folders)
  set(doctor_CHECKOUT_DIR "")
  if("pytorch-develop" IN_LIST doctor_PACKAGES)
    set(doctor_CHECKOUT_DIR "${TSB_LOCAL_pytorch}")
  endif()
  foreach(title IN ITEMS SOURCE BUILD CHECKOUT)
    set(path "${doctor_${title}_DIR}")
    set(found "")
    set(compiled "")
    if(NOT backend_prebuilt) # PyTorch has commands without VERBATIM, such as NNPACK's for PeachPy
      set(compiled "parenthesis=[()]")
    endif()
    # The comma: in -Wl,...; the apostrophe: in cmake/one_run/run.sh.in; the dollar: ccache takes what follows for a
    # variable; the last two: Ninja 1.11 ends the names of headers there, says nothing, and would not see that one has
    # changed.
    foreach(
      character IN LISTS compiled ITEMS "semicolon=[;]" "colon=[:]" "quote=[\"]" "apostrophe=[']" "backslash=[\\]"
                                        "hash=[#]" "comma=[,]" "dollar=[$]" "ampersand=[&]" "shell character=[*?<>|^`]"
    )
      string(REGEX MATCH "^(.*)=(.*)$" ignored "${character}")
      set(name ${CMAKE_MATCH_1})
      if(path MATCHES "${CMAKE_MATCH_2}")
        list(APPEND found ${name})
      endif()
    endforeach()
    if(path MATCHES "[][]")
      list(APPEND found bracket)
    endif()
    if(found)
      list(JOIN found ", " found)
      string(TOLOWER ${title} title)
      z_tsb_doctor_problem(
        "${title} folder: CMake, Ninja, the linker or a shell takes its path apart (${found}): ${path}"
        "move it to a path without such characters (blanks are fine)"
      )
    endif()
  endforeach()

  foreach(folder IN LISTS doctor_WRITABLE)
    z_tsb_doctor_existing(existing "${folder}")
    set(where "")
    set(another "choose another one")
    foreach(setting IN ITEMS TSB_DIST TSB_STORE TSB_SOURCES)
      if(folder STREQUAL "${${setting}}")
        set(another "set ${setting} to another one")
      endif()
    endforeach()
    if(NOT existing STREQUAL folder)
      set(where "${existing}: ")
    endif()
    if(folder MATCHES "[][]")
      z_tsb_doctor_problem(
        "folder ${folder}: CMake takes its path for a pattern (bracket)"
        "choose a path without brackets (blanks are fine)"
      )
    elseif(NOT IS_DIRECTORY "${existing}")
      z_tsb_doctor_problem(
        "folder ${folder}: cannot be written to: ${where}it is not a folder" "remove it, or ${another}"
      )
    else()
      z_tsb_doctor_make_folder(probe "${existing}/.tsb-doctor")
      if(probe)
        file(GLOB probes "${existing}/.tsb-doctor-*") # also that of a doctor that was killed
        file(REMOVE_RECURSE ${probes})
        z_tsb_doctor_good("writable: ${folder}")
      else()
        z_tsb_doctor_problem(
          "folder ${folder}: cannot be written to: ${where}${probe_ERROR}" "make it writable, or ${another}"
        )
      endif()
    endif()
  endforeach()
endfunction()
