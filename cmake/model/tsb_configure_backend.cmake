# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_configure_backend
---------------------

Adds to the record ``backend`` what the doctor has found for it, as its hook ``configured`` says it:
``backend_configured_...``. It is also known to the backend's hooks in the steps of the build. ::

  tsb_configure_backend()
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/tsb_ask_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_set_record.cmake)

macro(tsb_configure_backend)
  tsb_ask_backend(z_tsb_configured backend configured)
  set_property(GLOBAL PROPERTY TSB_BACKEND_CONFIGURED "${z_tsb_configured}")
  tsb_set_record(backend_configured z_tsb_configured)
endmacro()
