# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../tree/z_tsb_bill_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../tree/z_tsb_complete_tree.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../tree/z_tsb_stage_shared_libraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/metadata.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_set_wheel_version.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_wheel_variant.cmake")

# z_tsb_fix_modules(<site-packages> <Python>): corrects what keeps PyTorch's console scripts from starting, if it does.
#
# A module of torchfrtrace walks through its own variables. On the way it calls a function that Python 3.13 warns of,
# and for the first warning Python adds a variable to the module: "dictionary changed size during iteration". Later
# releases of PyTorch list the classes instead:
# https://github.com/pytorch/pytorch/blob/main/torch/distributed/flight_recorder/components/types.py
function(z_tsb_fix_modules site_packages python)
  set(types "${site_packages}/torch/distributed/flight_recorder/components/types.py")
  if(python VERSION_GREATER_EQUAL 3.13 AND EXISTS "${types}")
    file(READ "${types}" text)
    string(REPLACE "for t in globals().values()" "for t in list(globals().values())" text "${text}")
    file(WRITE "${types}" "${text}")
  endif()
endfunction()

# Libraries and extension modules. Those of libtorch are treated exactly as for a zip, and so have the same bytes.
function(z_tsb_stage_wheel_binaries artifact libtorch layer stage)
  set(site_packages "${stage}/site-packages")
  z_tsb_json_take(artifact debug_file)
  z_tsb_libtorch_shared_libraries(libraries "${libtorch}")
  file(GLOB own "${layer}/torch/lib/*.so")
  set(debug_of_lib "")
  set(debug_of_bin "")
  if(debug_file)
    set(debug_of_lib "${stage}/debug/torch/lib/.debug")
    set(debug_of_bin "${stage}/debug/torch/bin/.debug")
  endif()
  z_tsb_place_libraries("${artifact}" "${site_packages}/torch/lib" "${debug_of_lib}" ${libraries} ${own})
  z_tsb_slice("${artifact}" "${site_packages}/torch/lib")
  z_tsb_place_libraries(
    "${artifact}" "${site_packages}/torch/bin" "${debug_of_bin}" "${layer}/torch/bin/torch_shm_manager"
  )
  # What setuptools compiles is a few lines each, and has no build ID to be found by.
  foreach(folder IN ITEMS torch functorch)
    file(GLOB modules "${layer}/${folder}/_C*.so")
    z_tsb_place_libraries("${artifact}" "${site_packages}/${folder}" "" ${modules})
  endforeach()
  z_tsb_bundle("${artifact}" "${site_packages}" "${stage}/bundle.json" LIB torch/lib)
  z_tsb_place_data("${artifact}" "${site_packages}/torch")
endfunction()

# z_tsb_finish_wheel(<artifact json> <stage>): writes WHEEL and RECORD, and <stage>/wheel.json, which names the file
# that pack.cmake makes. A conda package that is made from the tree has none of them.
function(z_tsb_finish_wheel artifact stage)
  z_tsb_json_take(artifact python_tag build variant)
  z_tsb_json_get(machine "${artifact}" target wheel_machine)
  set(options "")
  if(build) # pip's name for two wheels of one version: torch-9.9.0+cu124-1large-cp311-....whl
    set(options --build ${build})
  endif()
  if(variant)
    z_tsb_json_get(label "${artifact}" slice name)
    list(APPEND options --variant ${label})
  endif()
  z_tsb_run_python(
    text "${artifact}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/finish_wheel.py" --root "${stage}/site-packages" --python
    ${python_tag} --machine ${machine} --result "${stage}/wheel.json" ${options}
  )
  if(NOT result EQUAL 0)
    tsb_fail("${stage}/site-packages cannot become a wheel" "see the message above")
  endif()
  string(STRIP "${text}" text)
  message(STATUS "${text}")
endfunction()

# z_tsb_stage_wheel(<artifact json> <stage> [<file>]): <stage>/site-packages, what pip would install, from the install
# trees of PyTorch and of its Python layer; and <stage>/debug, the debug information that belongs beside it. <file>: see
# z_tsb_complete_tree.
#
# torch/ is the libtorch of the zip, so that C++ programs can use it: libraries, headers, a CMake package, the
# manifest. The headers are those that PyTorch's setup.py chooses, without the ones of other back ends.
function(z_tsb_stage_wheel artifact stage)
  z_tsb_json_take(artifact build_folder package python version)
  set(libtorch "${build_folder}/packages/pytorch/install")
  set(layer "${build_folder}/packages/${package}/install/site-packages")
  set(site_packages "${stage}/site-packages")
  file(COPY "${layer}/" DESTINATION "${site_packages}")
  z_tsb_fix_modules("${site_packages}" "${python}")
  z_tsb_set_wheel_version("${site_packages}" "${version}")
  z_tsb_stage_wheel_binaries("${artifact}" "${libtorch}" "${layer}" "${stage}")
  z_tsb_complete_tree("${artifact}" "${stage}" "${site_packages}/torch" ${ARGN})
  z_tsb_wheel_metadata(dist_info "${artifact}" "${site_packages}")
  z_tsb_wheel_variant("${artifact}" "${dist_info}")
  z_tsb_check_metadata("${artifact}" "${dist_info}")
  z_tsb_bill_files("${artifact}" "${site_packages}" "${dist_info}/sboms/torch")
  z_tsb_json_take(artifact product)
  if(product STREQUAL "wheel")
    z_tsb_finish_wheel("${artifact}" "${stage}")
  endif()
endfunction()
