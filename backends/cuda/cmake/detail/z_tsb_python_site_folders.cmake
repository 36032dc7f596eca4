# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_python_site_folders(<result>): the folders in which the Pythons of this machine look for packages (TSB_PYTHON,
# an active virtual environment, those on the PATH), after those of PYTHONPATH. Each Python is asked, none twice.
function(z_tsb_python_site_folders result)
  set(pythons ${TSB_PYTHON})
  foreach(variable IN ITEMS VIRTUAL_ENV CONDA_PREFIX)
    if(NOT "$ENV{${variable}}" STREQUAL "")
      list(APPEND pythons "$ENV{${variable}}/bin/python3")
    endif()
  endforeach()
  string(REPLACE ":" ";" path "$ENV{PATH}")
  foreach(folder IN LISTS path)
    file(GLOB found "${folder}/python3" "${folder}/python3.*")
    list(FILTER found INCLUDE REGEX "/python3(\\.[0-9]+)?$")
    list(FILTER found EXCLUDE REGEX "/shims/python3\\.") # pyenv's python3 is the chosen one; the others take time
    list(APPEND pythons ${found})
  endforeach()
  set(asked "")
  string(REPLACE ":" ";" folders "$ENV{PYTHONPATH}")
  foreach(python IN LISTS pythons)
    get_filename_component(real "${python}" REALPATH)
    # A virtual environment's python is a link to another's, and has folders of its own.
    get_filename_component(folder "${python}" DIRECTORY)
    if(NOT EXISTS "${folder}/../pyvenv.cfg")
      set(folder "")
    endif()
    if(NOT EXISTS "${python}" OR "${folder}|${real}" IN_LIST asked)
      continue()
    endif()
    list(APPEND asked "${folder}|${real}")
    execute_process(
      COMMAND "${python}" -E -c "import site, sys; print('\\n'.join(sys.path + [site.getusersitepackages()]))"
      OUTPUT_VARIABLE output ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE
    )
    string(REPLACE "\n" ";" output "${output}")
    list(APPEND folders ${output})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(existing "")
  foreach(folder IN LISTS folders)
    if(IS_ABSOLUTE "${folder}" AND IS_DIRECTORY "${folder}")
      list(APPEND existing "${folder}")
    endif()
  endforeach()
  set(${result} "${existing}" PARENT_SCOPE)
endfunction()
