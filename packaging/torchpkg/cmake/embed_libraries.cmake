# SPDX-License-Identifier: BSD-3-Clause
# Writes the header backend/embedded.h with the content of each backends/<kind>/libraries.json, of the project and of
# the folder TSB_ADDITIONS.
file(GLOB files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/../../backends/*/libraries.json")
if(TSB_ADDITIONS)
  file(GLOB more CONFIGURE_DEPENDS "${TSB_ADDITIONS}/backends/*/libraries.json")
  list(APPEND files ${more})
endif()
list(LENGTH files count)
set(texts "")
foreach(file IN LISTS files)
  file(READ "${file}" text)
  get_filename_component(kind "${file}" DIRECTORY)
  get_filename_component(kind "${kind}" NAME)
  string(APPEND texts "{{\"${kind}\", R\"json(${text})json\"}},\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
endforeach()
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
