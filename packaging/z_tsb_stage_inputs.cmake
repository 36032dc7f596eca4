# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_stage_inputs(<out-var> <artifact json>): everything that decides what is in the artifact: the install trees of
# PyTorch and its Python layer, the artifact's description, the pins, and the packaging code itself.
function(z_tsb_stage_inputs out artifact)
  z_tsb_json_take(artifact build_folder product cuda_version)
  z_tsb_json_get(main "${artifact}" package)
  set(inputs "{}")
  string(JSON inputs SET "${inputs}" artifact "${artifact}")
  foreach(package IN ITEMS pytorch ${main})
    # Fingerprint of what is installed, not of what would be built now. The time stamp notices a package that was rebuilt
    # from scratch with the same inputs.
    set(state "${build_folder}/packages/${package}/state")
    if(EXISTS "${state}/stored/stage.json")
      set(state "${state}/stored")
    endif()
    if(NOT EXISTS "${state}/stage.json")
      tsb_fail("${package} has not been fully built" "build it first: cmake --build \"${build_folder}\"")
    endif()
    file(SHA256 "${state}/stage.json" fingerprint)
    file(TIMESTAMP "${state}/stage.json" time "%s")
    z_tsb_json_set_string(inputs ${package} "${fingerprint} ${time}")
  endforeach()
  z_tsb_json_set_string(inputs SOURCE_DATE_EPOCH "$ENV{SOURCE_DATE_EPOCH}")
  set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  # A wheel holds a libtorch; a conda package is laid out of a libtorch or of what a wheel holds.
  set(products libtorch)
  if(NOT product STREQUAL "libtorch")
    list(APPEND products wheel ${product})
  endif()
  list(REMOVE_DUPLICATES products)
  if(product STREQUAL "conda")
    list(APPEND products torchpkg/src/conda) # what `depends` says about the host
  endif()
  if(cuda_version)
    list(APPEND products cuda)
  endif()
  list(TRANSFORM products REPLACE "(.+)" "${here}/\\1/*")
  file(
    GLOB_RECURSE files
    RELATIVE "${here}"
    ${products} "${here}/torchpkg/src/bundle/*" "${here}/torchpkg/src/common/*" "${here}/torchpkg/src/elf/*"
    "${here}/torchpkg/src/zip/*" "${here}/sbom/*.py" "${here}/sbom/*.txt" "${here}/../third_party/bundled.json"
    "${here}/../third_party/licenses/*.txt"
  )
  if(cuda_version)
    list(APPEND files ../backends/cuda/versions.json)
  endif()
  list(APPEND files stage_artifact.cmake z_tsb_artifact_packages.cmake z_tsb_run_python.cmake z_tsb_stage_inputs.cmake)
  # What only checks decides nothing.
  list(FILTER files EXCLUDE REGEX "^[a-z]+/(check_|consumer_check|z_tsb_check_)")
  file(READ "${build_folder}/packages/pytorch/package.json" package)
  z_tsb_json_take(package pins)
  file(SHA256 "${pins}" hash)
  z_tsb_json_set_string(inputs "pins" "${hash}")
  get_filename_component(components "${pins}" DIRECTORY)
  if(EXISTS "${components}/components.json")
    file(SHA256 "${components}/components.json" hash)
    z_tsb_json_set_string(inputs "components.json" "${hash}")
  endif()
  foreach(file IN LISTS files)
    file(SHA256 "${here}/${file}" hash)
    z_tsb_json_set_string(inputs "file ${file}" "${hash}")
  endforeach()
  set(${out} "${inputs}" PARENT_SCOPE)
endfunction()
