# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
FindZstd
--------

Finds Zstandard through pkg-config's hints or the usual folders.

Imported target: ``Zstd::Zstd``.

Result variables: ``Zstd_FOUND``, ``Zstd_VERSION`` (when pkg-config knows it).
#]]
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_Zstd QUIET libzstd)
endif()
find_path(Zstd_INCLUDE_DIR zstd.h HINTS ${PC_Zstd_INCLUDE_DIRS})
find_library(Zstd_LIBRARY NAMES zstd HINTS ${PC_Zstd_LIBRARY_DIRS})
mark_as_advanced(Zstd_INCLUDE_DIR Zstd_LIBRARY)
set(Zstd_VERSION "${PC_Zstd_VERSION}")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Zstd REQUIRED_VARS Zstd_LIBRARY Zstd_INCLUDE_DIR VERSION_VAR Zstd_VERSION)

if(Zstd_FOUND AND NOT TARGET Zstd::Zstd)
  add_library(Zstd::Zstd UNKNOWN IMPORTED)
  set_target_properties(
    Zstd::Zstd PROPERTIES IMPORTED_LOCATION "${Zstd_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Zstd_INCLUDE_DIR}"
  )
endif()
