# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_progress
------------

Says what a build-time script is at. ``run_script.sh`` prints it every 14 seconds until the script says something else
or ends, so it costs nothing to say it of what is usually short.

.. code-block:: cmake

  tsb_progress(<text>)

An empty text: a command is run that shows its own progress, as the runner of phases does.
#]]
include_guard(GLOBAL)

function(tsb_progress text)
  if(DEFINED ENV{Z_TSB_PROGRESS_FILE})
    # By a rename, as it is read at any time, and several workers write it.
    string(RANDOM LENGTH 8 suffix)
    if(NOT text STREQUAL "")
      string(APPEND text "\n")
    endif()
    file(WRITE "$ENV{Z_TSB_PROGRESS_FILE}.${suffix}" "${text}")
    file(RENAME "$ENV{Z_TSB_PROGRESS_FILE}.${suffix}" "$ENV{Z_TSB_PROGRESS_FILE}")
  endif()
endfunction()
