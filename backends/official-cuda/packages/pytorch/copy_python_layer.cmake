# SPDX-License-Identifier: BSD-3-Clause
# site-packages/ as superbuild/pytorch-py lays it out: the Python files, programs, extension modules and their
# libraries. What belongs to a libtorch comes from package pytorch; licences and RECORD are written again when a wheel
# is staged.
cmake_minimum_required(VERSION 3.25)
set(site_packages "${TSB_INSTALL_DIR}/site-packages")
file(
  GLOB entries LIST_DIRECTORIES ON "${TSB_SOURCE_DIR}/torch" "${TSB_SOURCE_DIR}/torchgen" "${TSB_SOURCE_DIR}/functorch"
)
file(COPY ${entries} DESTINATION "${site_packages}" REGEX "/torch/(share|lib/[^/]+[.]so[.0-9]*)$" EXCLUDE)
foreach(library IN ITEMS libtorch_python.so libshm.so libtorch_global_deps.so)
  file(COPY "${TSB_SOURCE_DIR}/torch/lib/${library}" DESTINATION "${site_packages}/torch/lib")
endforeach()
file(GLOB dist_info RELATIVE "${TSB_SOURCE_DIR}" "${TSB_SOURCE_DIR}/torch-*.dist-info")
foreach(file IN ITEMS METADATA entry_points.txt top_level.txt)
  if(EXISTS "${TSB_SOURCE_DIR}/${dist_info}/${file}")
    file(COPY "${TSB_SOURCE_DIR}/${dist_info}/${file}" DESTINATION "${site_packages}/${dist_info}")
  endif()
endforeach()
# Up to 2.9 torchfrtrace is of a module that upstream's wheels lack.
file(READ "${site_packages}/${dist_info}/entry_points.txt" scripts)
string(REGEX REPLACE "torchfrtrace = tools[.][^\n]*\n" "" scripts "${scripts}")
file(WRITE "${site_packages}/${dist_info}/entry_points.txt" "${scripts}")
# With which the list of files of what is made of it is compared.
file(COPY "${TSB_SOURCE_DIR}/${dist_info}/RECORD" DESTINATION "${TSB_INSTALL_DIR}")
file(
  GLOB_RECURSE binaries "${site_packages}/torch/lib/*.so" "${site_packages}/torch/bin/torch_shm_manager"
  "${site_packages}/*/_C*.so"
)
file(GLOB openmp RELATIVE "${TSB_SOURCE_DIR}/torch/lib" "${TSB_SOURCE_DIR}/torch/lib/libgomp*.so.1")
foreach(file IN LISTS binaries)
  # Before patchelf, and under the name that package pytorch gives it: see copy_from_wheel.cmake.
  execute_process(COMMAND strip --strip-unneeded "${file}" COMMAND_ERROR_IS_FATAL ANY)
  if(NOT openmp STREQUAL "libgomp.so.1")
    execute_process(COMMAND patchelf --replace-needed ${openmp} libgomp.so.1 "${file}" COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
