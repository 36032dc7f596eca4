# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/z_tsb_json.cmake)

# z_tsb_wheel_variant(<dist-info>): makes a slice a variant of its wheel (TSB_WHEEL_VARIANT): writes
# <dist-info>/variant.json, which says what machines it is for. The label is the slice's name, as in the wheel's
# name. Others stay as they are.
#
# https://peps.python.org/pep-0825/ still changes; the form is that of variantlib 0.2.2, which the PEP's authors write.
function(z_tsb_wheel_variant dist_info)
  if(NOT artifact_variant)
    return()
  endif()
  file(READ "${artifact_build_folder}/artifacts/${artifact_name}.json" artifact)
  z_tsb_json_take(artifact variant)
  z_tsb_json_take(variant namespace provider features)
  set(content "{}")
  z_tsb_json_set_string(content "$schema" "https://variants-schema.wheelnext.dev/v0.2.0.json")
  string(JSON content SET "${content}" default-priorities "{\"namespace\": [\"${namespace}\"]}")
  string(JSON content SET "${content}" providers "{\"${namespace}\": ${provider}}")
  string(JSON content SET "${content}" variants "{\"${artifact_slice_name}\": {\"${namespace}\": ${features}}}")
  file(WRITE "${dist_info}/variant.json" "${content}\n")
endfunction()
