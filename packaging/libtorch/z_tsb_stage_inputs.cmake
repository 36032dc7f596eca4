# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_stage_inputs(<out-var> <artifact json>): everything that decides what is in the artifact: the install trees of
# PyTorch and its Python layer, the artifact's description, the pins, and the packaging code itself.
function(z_tsb_stage_inputs out artifact)
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  z_tsb_json_get(product "${artifact}" product)
  z_tsb_json_get(main "${artifact}" package)
  set(inputs "{}")
  foreach(package IN ITEMS pytorch ${main})
    # Of what is installed, not of what would be built now; and when: a package that somebody had built again from nothing
    # has the same inputs as before.
    set(state "${build_folder}/packages/${package}/state")
    if(EXISTS "${state}/stored/stage.json")
      set(state "${state}/stored")
    endif()
    if(NOT EXISTS "${state}/stage.json")
      tsb_fail("${package} is not built to its end" "build it first: cmake --build \"${build_folder}\"")
    endif()
    file(SHA256 "${state}/stage.json" fingerprint)
    file(TIMESTAMP "${state}/stage.json" time "%s")
    z_tsb_json_set_string(inputs ${package} "${fingerprint} ${time}")
  endforeach()
  z_tsb_json_set_string(inputs SOURCE_DATE_EPOCH "$ENV{SOURCE_DATE_EPOCH}")
  foreach(
    member
    IN
    ITEMS artifact version file debug_file preset deps linkage soname_version python_tag
  )
    z_tsb_json_get(value "${artifact}" ${member})
    z_tsb_json_set_string(inputs ${member} "${value}")
  endforeach()
  set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  file(
    GLOB_RECURSE files
    RELATIVE "${here}/.."
    "${here}/*"
    "${here}/../${product}/*"
    "${here}/../torchpkg/src/bundle/*"
    "${here}/../torchpkg/src/common/*"
    "${here}/../torchpkg/src/elf/*"
    "${here}/../torchpkg/src/zip/*"
    "${here}/../sbom/*.py"
    "${here}/../sbom/*.txt"
    "${here}/../../third_party/bundled.json"
    "${here}/../../third_party/licenses/*.txt"
  )
  # What only checks decides nothing.
  list(FILTER files EXCLUDE REGEX "^[a-z]+/(check_|consumer_check|z_tsb_check_)")
  file(READ "${build_folder}/packages/pytorch/package.json" package)
  z_tsb_json_get(pins "${package}" pins)
  file(SHA256 "${pins}" hash)
  z_tsb_json_set_string(inputs "pins" "${hash}")
  get_filename_component(components "${pins}" DIRECTORY)
  if(EXISTS "${components}/components.json")
    file(SHA256 "${components}/components.json" hash)
    z_tsb_json_set_string(inputs "components.json" "${hash}")
  endif()
  foreach(file IN LISTS files)
    file(SHA256 "${here}/../${file}" hash)
    z_tsb_json_set_string(inputs "file ${file}" "${hash}")
  endforeach()
  set(${out} "${inputs}" PARENT_SCOPE)
endfunction()

# z_tsb_begin_stage(<out-var> <artifact json>): empties stage/<artifact> and gives the inputs, to be written into its inputs.json
# when it is complete; an empty text when what is there was made of the same inputs.
function(z_tsb_begin_stage out artifact)
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  z_tsb_json_get(name "${artifact}" artifact)
  set(stage "${build_folder}/stage/${name}")
  z_tsb_stage_inputs(inputs "${artifact}")
  if(EXISTS "${stage}/inputs.json")
    file(READ "${stage}/inputs.json" recorded)
    if(recorded STREQUAL inputs)
      set(${out} "" PARENT_SCOPE)
      return()
    endif()
  endif()
  message(STATUS "${name} stage")
  file(REMOVE "${stage}/inputs.json") # first: what is left of the rest counts for nothing
  file(REMOVE_RECURSE "${stage}")
  set(${out} "${inputs}" PARENT_SCOPE)
endfunction()
