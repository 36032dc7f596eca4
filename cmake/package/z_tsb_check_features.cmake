# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_check_features(<package json> <features, of z_tsb_package_features> <folder of the package>)
#
# After configure: a feature that was asked for and is off in the package's cache is an error, since the manifest would
# say that it is on. Packages do that when they do not find something. Only the cache is read, not a variable
# that covers it.
function(z_tsb_check_features package features folder)
  z_tsb_json_take(package name)
  set(refused "")
  z_tsb_json_members(names "${features}")
  foreach(feature IN LISTS names)
    z_tsb_json_get(option "${features}" ${feature} option)
    z_tsb_json_get(enabled "${features}" ${feature} enabled)
    file(STRINGS "${folder}/build/CMakeCache.txt" entry REGEX "^${option}:[A-Z]+=")
    string(REGEX REPLACE "^[^=]*=" "" value "${entry}")
    if(enabled AND NOT entry STREQUAL "" AND NOT value)
      list(APPEND refused "${feature} (${option}=${value})")
    endif()
  endforeach()
  if(refused)
    list(JOIN refused ", " refused)
    tsb_fail(
      "package ${name}: its configure has switched off what was asked for: ${refused}"
      "see why in ${folder}/log/configure.log; a find_package() that is not declared in superbuild/${name}.cmake finds nothing"
    )
  endif()
endfunction()
