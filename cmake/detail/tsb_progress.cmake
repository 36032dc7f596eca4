# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_progress
------------

Says what a build-time script is at. ``run_script.py`` holds it back, and prints it every 14 seconds until the script
says something else or ends, so it costs nothing to say it of what is usually short.

.. code-block:: cmake

  tsb_progress(<text>)

An empty text: a command is run that shows its own progress, as the runner of phases does.
#]]
include_guard(GLOBAL)

function(tsb_progress text)
  message(NOTICE "tsb_progress: ${text}")
endfunction()
