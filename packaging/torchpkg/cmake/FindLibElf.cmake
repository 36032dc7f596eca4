# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
FindLibElf
----------

Finds libelf through pkg-config's hints or the usual folders.

Imported target: ``LibElf::LibElf``.

Result variables: ``LibElf_FOUND``, ``LibElf_VERSION`` (when pkg-config knows it).
#]]
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_LibElf QUIET libelf)
endif()
find_path(LibElf_INCLUDE_DIR gelf.h HINTS ${PC_LibElf_INCLUDE_DIRS})
find_library(LibElf_LIBRARY NAMES elf HINTS ${PC_LibElf_LIBRARY_DIRS})
mark_as_advanced(LibElf_INCLUDE_DIR LibElf_LIBRARY)
set(LibElf_VERSION "${PC_LibElf_VERSION}")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibElf REQUIRED_VARS LibElf_LIBRARY LibElf_INCLUDE_DIR VERSION_VAR LibElf_VERSION)

if(LibElf_FOUND AND NOT TARGET LibElf::LibElf)
  add_library(LibElf::LibElf UNKNOWN IMPORTED)
  set_target_properties(
    LibElf::LibElf PROPERTIES IMPORTED_LOCATION "${LibElf_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                                    "${LibElf_INCLUDE_DIR}"
  )
endif()
