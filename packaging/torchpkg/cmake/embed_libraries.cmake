# SPDX-License-Identifier: BSD-3-Clause
# Writes the header backend/embedded.h with the content of each backends/<kind>/libraries.json, of the project and of
# the folder TSB_ADDITIONS.
include("${CMAKE_CURRENT_LIST_DIR}/../../../cmake/data/tsb_list_data.cmake")
tsb_list_data(kinds backends)
list(SORT kinds) # the backend official-cpu and the like have some libraries of cuda, which comes first and counts
set(texts "")
set(count 0)
foreach(kind IN LISTS kinds)
  tsb_find_data(file "backends/${kind}/libraries.json")
  tsb_find_data(folder "backends/${kind}") # its time changes with its list of files
  get_filename_component(parent "${folder}" DIRECTORY)
  list(APPEND watched "${folder}" "${parent}" ${file})
  if(file)
    file(READ "${file}" text)
    string(APPEND texts "{{\"${kind}\", R\"json(${text})json\"}},\n")
    math(EXPR count "${count} + 1")
  endif()
endforeach()
list(REMOVE_DUPLICATES watched)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${watched})
file(
  CONFIGURE
  OUTPUT
  "${CMAKE_CURRENT_BINARY_DIR}/embedded/backend/embedded.h"
  CONTENT
  "#pragma once
#include <array>
#include <string_view>
namespace torchpkg::backend {
constexpr std::array<std::array<std::string_view, 2>, @count@> kLibraryFiles = {{@texts@}};
}  // namespace torchpkg::backend
"
  @ONLY
)
