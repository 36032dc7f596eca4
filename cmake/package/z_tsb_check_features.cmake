# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_check_features(<features, of z_tsb_package_features> <folder of the package>)
#
# After configure: a feature that was asked for and is off in the package's cache is an error, since the manifest would
# say that it is on. Packages do that when they do not find something. Only the cache is read, not a variable that
# covers it.
function(z_tsb_check_features features folder)
  set(refused "")
  foreach(feature IN LISTS package_features)
    set(option "${package_features_${feature}_option}")
    file(STRINGS "${folder}/build/CMakeCache.txt" entry REGEX "^${option}:[A-Z]+=")
    string(REGEX REPLACE "^[^=]*=" "" value "${entry}")
    if(${features}_${feature} AND entry MATCHES ":INTERNAL=") # by cmake_dependent_option
      list(APPEND refused "${feature} (${option}, since what it depends on is off)")
    elseif(${features}_${feature} AND NOT entry STREQUAL "" AND NOT value)
      list(APPEND refused "${feature} (${option}=${value})")
    endif()
  endforeach()
  if(refused)
    list(JOIN refused ", " refused)
    tsb_fail(
      "package ${package_name}: its configure has switched off what was asked for: ${refused}"
      "see why in ${folder}/log/configure.log; a find_package() that is not declared in ${package_declared_in} finds nothing"
    )
  endif()
endfunction()
