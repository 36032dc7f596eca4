# SPDX-License-Identifier: BSD-3-Clause
# Headers, CMake files, PyTorch's libraries and those beside them, laid out like PyTorch's own installation. Where the
# libraries of CUDA are left out, libtorch.so, a stub that loads the others, no longer asks for them. NO_STRIP in the
# environment: symbol tables stay.
cmake_minimum_required(VERSION 3.25)

function(run_tool)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "'${ARGN}' failed; see the message above")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(torch "${TSB_SOURCE_DIR}/torch")
file(COPY "${torch}/include" "${torch}/share" DESTINATION "${TSB_INSTALL_DIR}")
set(lib "${TSB_INSTALL_DIR}/lib")
file(
  GLOB libraries RELATIVE "${torch}/lib" "${torch}/lib/libc10*.so" "${torch}/lib/libtorch*.so"
                                         "${torch}/lib/libcaffe2*.so"
)
list(FILTER libraries EXCLUDE REGEX "_(python|global_deps)[.]so$") # for Python
foreach(library IN LISTS libraries)
  file(COPY "${torch}/lib/${library}" DESTINATION "${lib}")
  # Before patchelf: strip breaks what patchelf has moved (https://github.com/NixOS/patchelf/issues/10).
  if(NOT DEFINED ENV{NO_STRIP})
    run_tool(strip --strip-unneeded "${lib}/${library}")
  endif()
endforeach()
file(GLOB others "${torch}/lib/lib*.so*" "${TSB_SOURCE_DIR}/torch.libs/lib*.so*")
list(FILTER others EXCLUDE REGEX "/lib(c10|caffe2|shm|torch)[^/]*$")
file(COPY ${others} DESTINATION "${lib}")
# Up to 2.9 it has the name that auditwheel gave it, libgomp-a34b3233.so.1: a program with OpenMP would load the
# machine's, a second one.
file(GLOB openmp "${lib}/libgomp*.so.1*")
get_filename_component(name "${openmp}" NAME)
file(GLOB libraries "${lib}/lib*.so*")
foreach(library IN LISTS libraries)
  run_tool(patchelf --print-needed "${library}")
  if(NOT name STREQUAL "libgomp.so.1" AND output MATCHES "${name}")
    run_tool(patchelf --replace-needed ${name} libgomp.so.1 "${library}")
  endif()
  # It is linked with zlib, but calls nothing of it, and the wheel has no zlib.
  if(library MATCHES "/libgfortran" AND output MATCHES "libz.so.1")
    run_tool(patchelf --remove-needed libz.so.1 "${library}")
  endif()
endforeach()
if(NOT name STREQUAL "libgomp.so.1")
  run_tool(patchelf --set-soname libgomp.so.1 "${openmp}")
  file(RENAME "${openmp}" "${lib}/libgomp.so.1")
endif()
if(EXISTS "${lib}/libtorch_cuda.so")
  return()
endif()
set(stub "${lib}/libtorch.so")
run_tool(patchelf --print-needed "${stub}")
string(REGEX MATCHALL "lib[a-z0-9_]*cuda[a-z0-9_.]*" of_cuda "${output}")
foreach(library IN LISTS of_cuda)
  run_tool(patchelf --remove-needed ${library} "${stub}")
endforeach()
