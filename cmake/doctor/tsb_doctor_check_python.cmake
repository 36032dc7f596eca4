# SPDX-License-Identifier: BSD-3-Clause
# The Python that runs scripts, and PyTorch's code generators (WITHOUT code_generators: not these) where it is compiled:
# the first that has what they import. Exports TSB_CODEGEN_PYTHON, the interpreter itself (what a wrapper such as
# pyenv's would start). It is asked as packages run it, where nothing of this shell's environment adds modules or
# libraries.
include(${CMAKE_CURRENT_LIST_DIR}/../isolation/tsb_clean_environment.cmake)

function(tsb_doctor_check_python)
  set(modules yaml typing_extensions)
  set(needed "3.9 or newer with the modules yaml and typing_extensions")
  z_tsb_doctor_install(
    remedy "python3 python3-yaml python3-typing-extensions" "python3 python3-pyyaml python3-typing-extensions"
  )
  if(backend_prebuilt OR "code_generators" IN_LIST doctor_WITHOUT)
    set(modules "")
    set(needed "3.9 or newer")
    z_tsb_doctor_install(remedy python3 python3)
  endif()
  set(candidates ${TSB_PYTHON})
  if(NOT candidates)
    find_program(first python3 NO_CACHE)
    file(GLOB others /usr/bin/python3.*)
    list(FILTER others INCLUDE REGEX "/python3\\.[0-9]+$")
    list(SORT others COMPARE NATURAL ORDER DESCENDING)
    set(candidates ${first} /usr/bin/python3 ${others})
    list(REMOVE_DUPLICATES candidates)
  else()
    set(remedy "correct TSB_PYTHON or unset it")
  endif()

  set(
    script
    [[
import importlib.util, sys
missing = [name for name in sys.argv[1:] if not importlib.util.find_spec(name)]
print("%d.%d.%d|%s|%s" % (sys.version_info[:3] + (" and ".join(missing), sys.executable)))
]]
  )
  set(faults "")
  tsb_clean_environment(clean)
  foreach(python IN LISTS candidates)
    if(NOT EXISTS "${python}")
      continue()
    endif()
    execute_process(
      COMMAND ${clean} "${python}" -c "${script}" ${modules} OUTPUT_VARIABLE output ERROR_QUIET
                                                                                    OUTPUT_STRIP_TRAILING_WHITESPACE
    )
    if(NOT output MATCHES "^([^|]*)\\|([^|]*)\\|(.+)$")
      list(APPEND faults "${python} does not run")
    elseif(CMAKE_MATCH_1 VERSION_LESS 3.9)
      list(APPEND faults "${python} is ${CMAKE_MATCH_1}")
    elseif(NOT "${CMAKE_MATCH_2}" STREQUAL "")
      list(APPEND faults "${python} lacks ${CMAKE_MATCH_2}")
    else()
      z_tsb_doctor_export(TSB_CODEGEN_PYTHON "${CMAKE_MATCH_3}")
      z_tsb_doctor_good("python ${CMAKE_MATCH_1} (${CMAKE_MATCH_3})")
      return()
    endif()
  endforeach()
  list(JOIN faults ", " faults)
  if(faults STREQUAL "")
    set(faults "there is none")
  endif()
  if(NOT "$ENV{PYTHONPATH}$ENV{LD_LIBRARY_PATH}" STREQUAL "")
    list(APPEND remedy "what only PYTHONPATH or LD_LIBRARY_PATH finds does not count: packages do not get them")
  endif()
  z_tsb_doctor_problem("python: ${needed} is needed, but ${faults}" ${remedy})
endfunction()
