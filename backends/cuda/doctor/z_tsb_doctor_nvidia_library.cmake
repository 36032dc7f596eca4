# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/detail/z_tsb_find_nvidia_library.cmake)

# z_tsb_doctor_nvidia_library(<chosen> <text> <rejected> <name> <variable> <major, or nothing>): the first cuDNN or
# cuSPARSELt that is complete and of this major version, as its JSON object without "found_by", and in words. <rejected>
# is a list of those before it, in words, with the reason.
function(z_tsb_doctor_nvidia_library chosen text rejected name variable major)
  z_tsb_doctor_exported(toolkit TSB_CUDA_TOOLKIT)
  set(root "")
  if(DEFINED doctor_ROOT)
    set(root ROOT "${doctor_ROOT}")
  endif()
  z_tsb_find_nvidia_library(all ${name} ${variable} "${backend_version}" "${toolkit}" ${root})
  string(JSON count LENGTH "${all}")
  set(chosen_one "")
  set(chosen_text "")
  set(others "")
  set(index 0)
  while(index LESS count AND chosen_one STREQUAL "")
    string(JSON one GET "${all}" ${index})
    foreach(member IN ITEMS version home found_by fault)
      string(JSON ${member} GET "${one}" ${member})
    endforeach()
    set(words "${version} in ${home} (${found_by})")
    if(version STREQUAL "")
      set(words "${home} (${found_by})")
    endif()
    if(NOT fault STREQUAL "")
      list(APPEND others "${words}, but ${fault}")
    elseif(NOT "${major}" STREQUAL "" AND NOT version MATCHES "^${major}\\.")
      list(APPEND others "${words}")
    else()
      string(JSON chosen_one REMOVE "${one}" found_by)
      string(JSON chosen_one REMOVE "${chosen_one}" fault)
      set(chosen_text "${words}")
    endif()
    math(EXPR index "${index} + 1")
  endwhile()
  set(${chosen} "${chosen_one}" PARENT_SCOPE)
  set(${text} "${chosen_text}" PARENT_SCOPE)
  set(${rejected} "${others}" PARENT_SCOPE)
endfunction()

# z_tsb_doctor_pip_install(<result> <package> <variable>): the command for pip, with the variable that names the folder.
# A folder of its own, since distributions let pip install nowhere else (https://peps.python.org/pep-0668), and without
# what the package requires: that is the toolkit, which is here.
function(z_tsb_doctor_pip_install result package variable)
  string(REGEX MATCH "cu[0-9]+" cuda "${package}")
  set(folder "$ENV{HOME}/nvidia-${cuda}")
  set(
    ${result} "python3 -m pip install --no-deps --target ${folder} ${package}, and set ${variable}=${folder}"
    PARENT_SCOPE
  )
endfunction()
