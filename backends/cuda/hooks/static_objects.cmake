# SPDX-License-Identifier: BSD-3-Clause
# Two sources are compiled again for the static libraries. PyTorch opens libtorch_cuda_linalg.so by its name when linear
# algebra is first asked of the GPU, and _cholesky_solve_helper_cuda in LinearAlgebraStubs.cpp does so even when its
# functions are there already, as in a program with them inside. Without BUILD_LAZY_CUDA_LINALG, which upstream does
# not set where it builds static libraries, the stubs are empty and BatchLinearAlgebra.cpp takes their place. Headers
# say nothing by that name but declarations.
include_guard(GLOBAL)
set(Z_TSB_LAZY_LINALG BUILD_LAZY_CUDA_LINALG)

# z_tsb_compile_again(<out-var> <build folder> <command of a compile>): without the definition, when the source knows
# it: the object that was linked, and the new one.
function(z_tsb_compile_again out build command)
  set(${out} "" PARENT_SCOPE)
  separate_arguments(words UNIX_COMMAND "${command}")
  list(FIND words -c at)
  math(EXPR at "${at} + 1")
  list(GET words ${at} source)
  get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${build}")
  file(STRINGS "${source}" lines REGEX "${Z_TSB_LAZY_LINALG}" LIMIT_COUNT 1)
  if(NOT lines)
    return()
  endif()
  list(FIND words -o at)
  math(EXPR at "${at} + 1")
  list(GET words ${at} object)
  string(REGEX REPLACE "\\.o$" ".static.o" own "${object}")
  list(REMOVE_ITEM words -D${Z_TSB_LAZY_LINALG})
  string(REPLACE "${object}" "${own}" words "${words}")
  execute_process(COMMAND ${words} WORKING_DIRECTORY "${build}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cannot compile ${source} without ${Z_TSB_LAZY_LINALG}; see the message above")
  endif()
  set(${out} "${object}" "${own}" PARENT_SCOPE)
endfunction()

function(z_tsb_cuda_static_objects out libraries build ninja)
  set(objects "")
  if("torch_cuda_linalg" IN_LIST libraries)
    execute_process(
      COMMAND "${ninja}" -C "${build}" -t commands lib/libtorch_cuda_linalg.so
      COMMAND grep -e " -D${Z_TSB_LAZY_LINALG} .* -c "
      OUTPUT_VARIABLE commands
      OUTPUT_STRIP_TRAILING_WHITESPACE RESULTS_VARIABLE results
    )
    if(NOT results STREQUAL "0;0")
      message(FATAL_ERROR "Ninja names no source of libtorch_cuda_linalg.so that knows ${Z_TSB_LAZY_LINALG}")
    endif()
    string(REPLACE "\n" ";" commands "${commands}")
    foreach(command IN LISTS commands)
      z_tsb_compile_again(pair "${build}" "${command}")
      list(APPEND objects ${pair})
    endforeach()
  endif()
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()
