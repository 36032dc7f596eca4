# SPDX-License-Identifier: BSD-3-Clause
# No file is a symbolic link: in a zip of the repository, and in some checkouts, it would be a text.
include(${CMAKE_CURRENT_LIST_DIR}/files_of_project.cmake)
files_of_project(files ".")
set(found "")
foreach(file IN LISTS files)
  if(IS_SYMLINK "${TSB_SOURCE_DIR}/${file}")
    string(APPEND found "  ${file}\n")
  endif()
endforeach()
if(found)
  message(FATAL_ERROR "these are symbolic links; name the file where it is used:\n${found}")
endif()
