# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_progress
------------

Says what a build-time script is at: ``<owner> <step>[: <what>]``. ``engine/one_run/screen.py`` makes the line of
progress of it, so it costs nothing to say it of what is usually short.

.. code-block:: cmake

  tsb_progress(<text> [log: <file>]) # the file: where a Ninja says how far it is
#]]
include_guard(GLOBAL)

function(tsb_progress text)
  list(JOIN ARGV " " text)
  message(NOTICE "tsb_progress: ${text}")
endfunction()
