# SPDX-License-Identifier: BSD-3-Clause
# Step stage: fills stage/<artifact>, from the packages' install trees, with what is packed, and with the tree of the
# debug zip, stage/<artifact>/debug, which is unpacked over the same folder. How its product does it is in
# <product>/stage.cmake.
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/package/z_tsb_package_closure.cmake")

macro(z_tsb_inputs_of_artifact_stage)
  set(packages ${package})
  if(NOT artifact_tree STREQUAL "package")
    list(PREPEND packages pytorch)
  endif()
  list(REMOVE_DUPLICATES packages)
  foreach(needed IN LISTS packages)
    z_tsb_step_after(inputs ${needed} stage)
  endforeach()
  z_tsb_step_record(inputs artifact)
  z_tsb_step_value(inputs "SOURCE_DATE_EPOCH" "$ENV{SOURCE_DATE_EPOCH}")
  z_tsb_step_file(inputs "torchpkg" "${torchpkg}")
  tsb_read_record("${TSB_BUILD_FOLDER}/packages/${package}/package.json" main)
  get_filename_component(pins_folder "${main_pins}" DIRECTORY)
  z_tsb_package_closure(closure "${TSB_BUILD_FOLDER}/packages" ${packages})
  foreach(needed IN LISTS closure)
    z_tsb_step_file(inputs "pins of ${needed}" "${TSB_BUILD_FOLDER}/packages/${needed}/pins.json")
  endforeach()
  z_tsb_step_file(inputs "components.json" "${pins_folder}/components.json")
  # A conda package is laid out of what a libtorch or a wheel holds: the artifact's member `tree`.
  set(patterns sbom/* ../engine/sbom/*.py ${product}/* ${artifact_tree}/*)
  list(TRANSFORM patterns PREPEND "${Z_TSB_PACKAGING}/")
  file(
    GLOB scripts
    LIST_DIRECTORIES OFF
    RELATIVE "${Z_TSB_PACKAGING}"
    ${patterns}
  )
  list(FILTER scripts EXCLUDE REGEX "/(pack\\.cmake|pack_conda\\.py)$")
  list(
    APPEND scripts ../engine/artifact.py ../engine/build_folder.py ../engine/bundle.py ../engine/folders.py
    ../engine/header_version.py ../engine/host_platform.py ../engine/partial_file.py ../engine/system_package.py
  )
  if(NOT product STREQUAL "libtorch")
    list(APPEND scripts libraries/requirements.txt ../engine/elf_needs.py)
  endif()
  z_tsb_step_scripts(
    inputs steps/stage.cmake z_tsb_backend_folders.cmake tree ${scripts} ../third_party/bundled.json
    ../third_party/licenses
  )
  z_tsb_step_backend(inputs *.json *.py hooks cmake cmake_package)
endmacro()

function(z_tsb_run_stage)
  file(REMOVE_RECURSE "${stage}")
  file(MAKE_DIRECTORY "${stage}")
  include("${Z_TSB_PACKAGING}/${product}/stage.cmake")
  cmake_language(CALL z_tsb_stage_${product} "${stage}")
endfunction()
