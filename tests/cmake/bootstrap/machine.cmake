# SPDX-License-Identifier: BSD-3-Clause
# Helpers for the tests of bootstrap.sh: a copy of it with the presets, and a PATH of our own with invented tools, each
# of which writes its call into the file calls.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(bin ${TSB_TEST_DIR}/bin)
set(copy "${TSB_TEST_DIR}/a copy")
file(
  COPY ${TSB_SOURCE_DIR}/bootstrap.sh ${TSB_SOURCE_DIR}/backends ${TSB_SOURCE_DIR}/engine ${TSB_SOURCE_DIR}/presets
       ${TSB_SOURCE_DIR}/CMakePresets.json DESTINATION ${copy}
)
file(COPY ${TSB_SOURCE_DIR}/cmake/doctor/tools.txt DESTINATION ${copy}/cmake/doctor)
file(
  COPY ${TSB_SOURCE_DIR}/tools/bootstrap_tools.txt ${TSB_SOURCE_DIR}/tools/bootstrap_help.txt DESTINATION ${copy}/tools
)
# Not a script of pyenv's, which needs more than the invented machine has.
execute_process(
  COMMAND python3 -c "import sys; print(sys.executable, end='')" OUTPUT_VARIABLE python COMMAND_ERROR_IS_FATAL ANY
)
set(print_python [[import sys; print("# Python", *sys.version_info[:2])]])
execute_process(COMMAND "${python}" -c "${print_python}" OUTPUT_VARIABLE of_python COMMAND_ERROR_IS_FATAL ANY)

# The Python tools are installed already; they are not on the PATH.
set(style_folder "${copy}/build/style-tools")
foreach(list IN ITEMS tests/style tests/test tests/validator tools/remote tools/publish tools/report)
  cmake_path(GET list FILENAME name)
  file(MAKE_DIRECTORY "${copy}/tests" "${copy}/build/${name}-tools")
  file(COPY_FILE "${TSB_SOURCE_DIR}/${list}_tools.txt" "${copy}/${list}_tools.txt")
  file(COPY_FILE "${copy}/${list}_tools.txt" "${copy}/build/${name}-tools/pinned")
  file(APPEND "${copy}/build/${name}-tools/pinned" "${of_python}")
endforeach()

# tool(<name> [<script>]): an invented program. Removed first, and never a link: writing must not reach through to a
# program of the real machine.
function(tool name)
  file(REMOVE ${bin}/${name})
  set(real "")
  if(name STREQUAL "python3") # which reads the presets
    set(
      real
      "case \"$2 $3\" in */engine\\ words | engine\\ presets | '${print_python} '*) exec '${python}' \"$@\" ;; esac\n"
    )
  endif()
  file(WRITE ${bin}/${name} "#!/bin/sh\n${real}echo ${name} \"$@\" >>'${TSB_TEST_DIR}/calls'\n${ARGN}\n")
  file(CHMOD ${bin}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# The machine's own programs that any script needs, without a note of their calls.
foreach(name IN ITEMS sh cat dirname env grep head readlink rm sed sort tr)
  find_program(path ${name} NO_CACHE REQUIRED)
  file(WRITE ${bin}/${name} "#!/bin/sh\nexec '${path}' \"$@\"\n")
  file(CHMOD ${bin}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  unset(path)
endforeach()

# Everything that the list of requirements can see by a command, in good versions.
function(tools_of_all_kinds)
  foreach(
    name IN ITEMS c++ make which perl patch xz bzip2 unzip ccache pkg-config git clang-format clang-tidy shellcheck zip
                  gdb faketime bwrap openssl dpkg-source chromium python3
  )
    tool(${name})
  endforeach()
  tool(cmake "case $1 in --version) echo cmake version 3.25.1 ;; esac")
  tool(ninja "echo 1.10.1")
  tool(patchelf "echo patchelf 0.14.3")
  tool(id "echo 0")
endfunction()

# bootstrap(<argument>...): sets status, output and calls (all calls of invented tools but cmake's and ninja's version).
function(bootstrap)
  file(REMOVE ${TSB_TEST_DIR}/calls)
  tsb_run(status output ${CMAKE_COMMAND} -E env --unset=TSB_PYTHON PATH=${bin} "${copy}/bootstrap.sh" ${ARGN})
  set(calls "")
  if(EXISTS ${TSB_TEST_DIR}/calls)
    file(STRINGS ${TSB_TEST_DIR}/calls calls)
    list(FILTER calls EXCLUDE REGEX "^((cmake|ninja|patchelf) --version|id -u|python3 -c .*)$")
  endif()
  message("$ bootstrap.sh ${ARGN}\n${output}\ncalls: ${calls}")
  foreach(name IN ITEMS status output calls)
    set(${name} "${${name}}" PARENT_SCOPE)
  endforeach()
endfunction()
