# SPDX-License-Identifier: BSD-3-Clause
# The CUDA toolkit for doctor_CUDA_VERSION (major and minor version must be the same). All that are found are named; of
# several that fit, the first in the order of tsb_find_cuda_toolkits() is taken, and TSB_CUDA_HOME decides alone.
# Exports TSB_CUDA_TOOLKIT, the object that tsb_find_cuda_toolkits() describes, without what changes with the way to it.
include(${CMAKE_CURRENT_LIST_DIR}/../cuda/tsb_find_cuda_toolkits.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../cuda/tsb_cuda_release.cmake)

# z_tsb_doctor_install_cuda(<result> <version>): how to install this CUDA here.
function(z_tsb_doctor_install_cuda result version)
  string(REPLACE "." "-" dashed "${version}")
  z_tsb_doctor_install(command cuda-toolkit-${dashed} cuda-toolkit-${dashed})
  set(command "${command} (of NVIDIA's repository)")
  find_program(apt_cache apt-cache NO_CACHE)
  if(apt_cache)
    execute_process(COMMAND "${apt_cache}" policy nvidia-cuda-toolkit OUTPUT_VARIABLE output ERROR_QUIET)
    if(output MATCHES "Candidate: ([0-9]+\\.[0-9]+)")
      set(candidate ${CMAKE_MATCH_1})
      if(candidate VERSION_EQUAL version)
        set(command "apt-get install nvidia-cuda-toolkit")
        # It is there, and not whole.
        if(output MATCHES "Installed: [0-9]")
          set(command "apt-get install --reinstall nvidia-cuda-toolkit nvidia-cuda-dev")
        endif()
      endif()
    endif()
  endif()
  set(${result} "${command}" PARENT_SCOPE)
endfunction()

# z_tsb_doctor_toolkit_lacks(<result> <toolkit>): what PyTorch needs of it, beyond what compiles anything.
function(z_tsb_doctor_toolkit_lacks result toolkit)
  z_tsb_json_get_list(includes "${toolkit}" include)
  z_tsb_json_get_list(libraries "${toolkit}" libraries)
  list(FILTER libraries EXCLUDE REGEX "/stubs$")
  set(lacks "")
  foreach(
    header
    IN
    ITEMS cublas_v2.h cufft.h curand.h cusolverDn.h cusparse.h nvrtc.h thrust/version.h cub/version.cuh
  )
    set(folders ${includes})
    list(TRANSFORM folders APPEND "/cccl") # since CUDA 13.0
    find_file(path ${header} PATHS ${includes} ${folders} NO_DEFAULT_PATH NO_CACHE)
    if(NOT path)
      list(APPEND lacks ${header})
    endif()
    unset(path)
  endforeach()
  foreach(
    library
    IN
    ITEMS cublas cublasLt cufft curand cusolver cusparse nvrtc
  )
    set(files "")
    foreach(folder IN LISTS libraries)
      file(GLOB more "${folder}/lib${library}.so*")
      list(APPEND files ${more})
    endforeach()
    if(NOT files)
      list(APPEND lacks lib${library}.so)
    endif()
  endforeach()
  z_tsb_json_get_list(programs "${toolkit}" programs)
  find_program(path_cuobjdump cuobjdump PATHS ${programs} NO_DEFAULT_PATH NO_CACHE)
  if(NOT path_cuobjdump)
    list(APPEND lacks cuobjdump)
  endif()
  list(JOIN lacks ", " lacks)
  set(${result} "${lacks}" PARENT_SCOPE)
endfunction()

function(tsb_doctor_check_cuda_toolkit)
  set(wanted "${doctor_CUDA_VERSION}")
  set(root "")
  if(DEFINED doctor_ROOT)
    set(root ROOT "${doctor_ROOT}")
  endif()
  tsb_find_cuda_toolkits(toolkits ${root})
  string(JSON count LENGTH "${toolkits}")
  set(chosen "")
  set(chosen_text "")
  set(others "")
  set(also "")
  set(index 0)
  while(index LESS count)
    string(JSON toolkit GET "${toolkits}" ${index})
    foreach(
      member
      IN
      ITEMS version home found_by layout fault
    )
      string(JSON ${member} GET "${toolkit}" ${member})
    endforeach()
    string(REGEX MATCH "^[0-9]+\\.[0-9]+" release "${version}")
    set(text "${version} in ${home} (${found_by})")
    if(found_by STREQUAL "TSB_CUDA_HOME" AND (NOT fault STREQUAL "" OR NOT release STREQUAL wanted))
      set(what "which is CUDA ${version}, but this preset is for ${wanted}")
      if(NOT fault STREQUAL "")
        set(what "but ${fault}")
      endif()
      z_tsb_doctor_problem(
        "CUDA toolkit: TSB_CUDA_HOME is ${home}, ${what}"
        "name a toolkit ${wanted}, or unset it: it is looked for then"
      )
      return()
    endif()
    if(NOT fault STREQUAL "")
      list(APPEND others "${text}, but ${fault}")
    elseif(NOT release STREQUAL wanted)
      list(APPEND others "${text}")
    elseif(chosen STREQUAL "")
      set(chosen "${toolkit}")
      set(chosen_text "${text}")
    else()
      list(APPEND also "${text}")
    endif()
    math(EXPR index "${index} + 1")
  endwhile()

  list(JOIN others "; " others_text)
  if(chosen STREQUAL "")
    set(found "and there is no toolkit here")
    if(others)
      set(found "found: ${others_text}")
    endif()
    z_tsb_doctor_install_cuda(remedy ${wanted})
    set(remedies "${remedy}, or name one in TSB_CUDA_HOME")
    # A backend of what is there, where its release can be built.
    string(REGEX MATCHALL "[0-9]+\\.[0-9]+[0-9.]* in " versions "${others_text}")
    foreach(version IN LISTS versions)
      string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" release "${version}")
      set(backend "cu${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
      get_property(folder GLOBAL PROPERTY TSB_DOCTOR_FOLDER)
      if(NOT release STREQUAL wanted AND EXISTS "${folder}/../../presets/${backend}.json")
        tsb_cuda_newest_release(pytorch ${release} "${folder}/../../third_party")
        if(EXISTS "${folder}/../../third_party/pytorch-${pytorch}/sources.json")
          list(APPEND remedies "or take the preset ${backend}-..., which is for PyTorch ${pytorch}")
        endif()
      endif()
    endforeach()
    z_tsb_doctor_problem("CUDA toolkit: ${wanted} is needed, ${found}" ${remedies})
    return()
  endif()

  z_tsb_doctor_toolkit_lacks(lacks "${chosen}")
  if(NOT lacks STREQUAL "")
    z_tsb_doctor_problem(
      "CUDA toolkit: ${chosen_text} lacks ${lacks}"
      "install all of the toolkit, not the compiler alone (Debian: nvidia-cuda-toolkit and nvidia-cuda-dev)"
    )
    return()
  endif()
  z_tsb_doctor_good("CUDA toolkit: ${chosen_text}")
  if(also)
    list(JOIN also "; " also)
    z_tsb_doctor_good("CUDA toolkit: the first of several ${wanted}; TSB_CUDA_HOME would take another one: ${also}")
  endif()
  if(others)
    z_tsb_doctor_good("CUDA toolkit: not for this preset: ${others_text}")
  endif()
  string(JSON chosen REMOVE "${chosen}" found_by)
  z_tsb_doctor_export(TSB_CUDA_TOOLKIT "${chosen}")
endfunction()
