# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
FindLibDeflate
--------------

Finds libdeflate through pkg-config's hints or the usual folders.

Imported target: ``LibDeflate::LibDeflate``.

Result variables: ``LibDeflate_FOUND``, ``LibDeflate_VERSION`` (when pkg-config knows it).
#]]
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_LibDeflate QUIET libdeflate)
endif()
find_path(LibDeflate_INCLUDE_DIR libdeflate.h HINTS ${PC_LibDeflate_INCLUDE_DIRS})
find_library(LibDeflate_LIBRARY NAMES deflate HINTS ${PC_LibDeflate_LIBRARY_DIRS})
mark_as_advanced(LibDeflate_INCLUDE_DIR LibDeflate_LIBRARY)
set(LibDeflate_VERSION "${PC_LibDeflate_VERSION}")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  LibDeflate REQUIRED_VARS LibDeflate_LIBRARY LibDeflate_INCLUDE_DIR VERSION_VAR LibDeflate_VERSION
)

if(LibDeflate_FOUND AND NOT TARGET LibDeflate::LibDeflate)
  add_library(LibDeflate::LibDeflate UNKNOWN IMPORTED)
  set_target_properties(
    LibDeflate::LibDeflate PROPERTIES IMPORTED_LOCATION "${LibDeflate_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                                                "${LibDeflate_INCLUDE_DIR}"
  )
endif()
