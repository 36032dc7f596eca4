# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../tree/z_tsb_bill_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../tree/z_tsb_complete_tree.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../tree/z_tsb_sleef_header.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../tree/z_tsb_stage_shared_libraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_call_python.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_set_wheel_version.cmake")

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
function(z_tsb_stage_wheel_binaries libtorch layer stage)
  set(site_packages "${stage}/site-packages")
  z_tsb_libtorch_shared_libraries(libraries "${libtorch}")
  file(GLOB own "${layer}/torch/lib/*.so")
  set(debug_of_lib "")
  set(debug_of_bin "")
  if(artifact_debug_file)
    set(debug_of_lib "${stage}/debug/torch/lib/.debug")
    set(debug_of_bin "${stage}/debug/torch/bin/.debug")
  endif()
  z_tsb_place_libraries("${site_packages}/torch/lib" "${debug_of_lib}" ${libraries} ${own})
  z_tsb_slice("${site_packages}/torch/lib")
  z_tsb_place_libraries("${site_packages}/torch/bin" "${debug_of_bin}" "${layer}/torch/bin/torch_shm_manager")
  # What setuptools compiles is a few lines each, and has no build ID to be found by.
  foreach(folder IN ITEMS torch functorch)
    file(GLOB modules "${layer}/${folder}/_C*.so")
    z_tsb_place_libraries("${site_packages}/${folder}" "" ${modules})
  endforeach()
  z_tsb_bundle("${site_packages}" "${stage}/bundle.json" --lib torch/lib)
endfunction()

# z_tsb_finish_wheel(<stage>): writes WHEEL and RECORD, and <stage>/wheel.json, which names the file that pack.cmake
# makes. A conda package that is made from the tree has none of them.
function(z_tsb_finish_wheel stage)
  set(options "")
  if(artifact_build) # pip's name for two wheels of one version: torch-9.9.0+cu124-1large-cp311-....whl
    set(options --build ${artifact_build})
  endif()
  tsb_call_python(
    "${artifact_build_folder}" wheel/finish_wheel.py --root "${stage}/site-packages" --python ${artifact_python_tag}
    --machine ${artifact_target_wheel_machine} --result "${stage}/wheel.json" ${options} INTO text WITH_TOOLS
  )
  message(STATUS "${text}")
endfunction()

# z_tsb_stage_wheel(<stage> [<file>]): <stage>/site-packages, what pip would install, from the install trees of PyTorch
# and of its Python layer; and <stage>/debug, the debug information that belongs beside it. <file>: see
# z_tsb_complete_tree.
#
# torch/ is the libtorch of the zip, so that C++ programs can use it: libraries, headers, a CMake package, the
# manifest. The headers are those that PyTorch's setup.py chooses, without the ones of other back ends.
function(z_tsb_stage_wheel stage)
  set(libtorch "${artifact_build_folder}/packages/pytorch/install")
  set(layer "${artifact_build_folder}/packages/${artifact_package}/install/site-packages")
  set(site_packages "${stage}/site-packages")
  file(COPY "${layer}/" DESTINATION "${site_packages}")
  z_tsb_fix_modules("${site_packages}" "${artifact_python}")
  z_tsb_set_wheel_version("${site_packages}" "${artifact_version}")
  z_tsb_stage_wheel_binaries("${libtorch}" "${layer}" "${stage}")
  z_tsb_sleef_header("${site_packages}/torch/include")
  z_tsb_complete_tree("${stage}" "${site_packages}/torch" ${ARGN})
  tsb_call_python(
    "${artifact_build_folder}" wheel/metadata.py "${artifact_build_folder}/artifacts/${artifact_name}.json"
    "${site_packages}" WITH_TOOLS
  )
  z_tsb_bill_files("${site_packages}" "${site_packages}/torch-${artifact_version}.dist-info/sboms/torch")
  if(artifact_product STREQUAL "wheel")
    z_tsb_finish_wheel("${stage}")
  endif()
endfunction()
