# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_python_command
------------------

The beginning of a command that runs one of this project's Python scripts. ::

  tsb_python_command(<out-var> <python> <module or script> [MODULES <folder>...])
  execute_process(COMMAND ${<out-var>} <argument>...)

A module is one of the package ``engine``, such as ``store`` or ``model.plan``. It sees the standard library,
``MODULES`` and that package, a script also its own folder; no variable of the caller (``PYTHONPATH``,
``PYTHONSAFEPATH``, ``PYTHONHOME``, ...) takes part, and no bytecode is written (``engine/__main__.py``). Run all Python
of the project by it. Where Python itself is asked, as in ``python -c`` or ``python -m pip``, ``-I`` does the same, or
``-E`` if modules of the user's own count.
#]]
include_guard(GLOBAL)

function(tsb_python_command out python script)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "MODULES")
  list(TRANSFORM arg_MODULES PREPEND "--modules;")
  set(
    ${out} "${python}" -I -S -B -X utf8 "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../engine/__main__.py" ${arg_MODULES}
           "${script}" PARENT_SCOPE
  )
endfunction()
