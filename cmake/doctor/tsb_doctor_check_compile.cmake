# SPDX-License-Identifier: BSD-3-Clause
# Compiles, links and runs a line as packages do: with nothing of this shell's environment, and through the compiler
# cache. A compiler of Spack, Nix or a module may need variables that packages do not get, and a cache a folder that can
# be written to. What has worked is not tried again by a later configure, until something of it is another one.
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_doctor_compile.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../isolation/tsb_clean_environment.cmake)

function(tsb_doctor_check_compile)
  z_tsb_doctor_exported(cache TSB_COMPILER_CACHE)
  z_tsb_doctor_exported(farm TSB_FARM_PROCESSORS)
  tsb_clean_environment(clean "${cache}")
  set(key "${clean}")
  foreach(language IN ITEMS C C++)
    get_property(compiler GLOBAL PROPERTY TSB_DOCTOR_COMPILER_${language})
    file(TIMESTAMP "${compiler}" time)
    string(APPEND key " ${compiler} ${time}")
  endforeach()
  string(SHA256 key "${key}")
  if("${TSB_DOCTOR_COMPILED}" STREQUAL key)
    return()
  endif()
  get_property(problems GLOBAL PROPERTY TSB_DOCTOR_PROBLEM_COUNT)
  z_tsb_doctor_temporary(folder "compilers")
  if(folder STREQUAL "")
    return()
  endif()
  file(WRITE "${folder}/try.c" "int main(void) { return 0; }\n")
  file(
    WRITE "${folder}/try.cpp"
    "#include <string>\nint main(int n, char **words) { return std::string(words[0], n) == \"\"; }\n"
  )
  foreach(kind IN ITEMS "C c" "C++ cpp")
    string(REGEX MATCH "^(.*) (.*)$" ignored "${kind}")
    set(language ${CMAKE_MATCH_1})
    set(source "${folder}/try.${CMAKE_MATCH_2}")
    get_property(compiler GLOBAL PROPERTY TSB_DOCTOR_COMPILER_${language})
    if(NOT compiler)
      continue() # another check has said why
    endif()
    z_tsb_doctor_run(fault "${folder}" ${clean} "${compiler}" "${source}" -o "${folder}/try")
    if(fault STREQUAL "")
      z_tsb_doctor_run(fault "${folder}" ${clean} "${folder}/try")
    endif()
    if(NOT fault STREQUAL "")
      set(variable CC)
      if(language STREQUAL "C++")
        set(variable CXX)
      endif()
      z_tsb_doctor_problem(
        "${language} compiler: ${compiler} makes no program that runs in the packages' environment: ${fault}"
        "packages get none of this shell's variables (LD_LIBRARY_PATH, CPATH, ...): name one in ${variable} that needs none"
      )
    elseif(cache)
      z_tsb_doctor_run(fault "${folder}" ${clean} "${cache}" "${compiler}" -c "${source}" -o "${folder}/try.o")
      if(NOT fault STREQUAL "" AND farm)
        z_tsb_doctor_problem(
          "farm: ${compiler} does not work through ${cache}: ${fault}"
          "docs/farm.md says what it needs, or unset TSB_FARM"
        )
        break()
      elseif(NOT fault STREQUAL "")
        get_filename_component(name "${cache}" NAME)
        string(TOUPPER ${name} variable)
        z_tsb_doctor_problem(
          "compiler cache: ${name} does not work for ${compiler}: ${fault}"
          "set ${variable}_DIR to a folder that can be written to (HOME is '$ENV{HOME}')"
          "or use no cache: TSB_DOCTOR_SKIP=compiler_cache"
        )
        break()
      endif()
    endif()
  endforeach()
  file(REMOVE_RECURSE "${folder}")
  get_property(all_problems GLOBAL PROPERTY TSB_DOCTOR_PROBLEM_COUNT)
  if("${all_problems}" STREQUAL "${problems}")
    set(TSB_DOCTOR_COMPILED "${key}" CACHE INTERNAL "What the doctor has compiled with")
  endif()
endfunction()
