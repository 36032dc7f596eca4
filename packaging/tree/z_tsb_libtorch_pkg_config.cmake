# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_libtorch_pkg_config(<root> <linkage> <backend's archives> <backend's libraries> [<other library>...])
#
# Writes lib/pkgconfig/torch.pc, with the caller's TSB_VERSION, TSB_CXX_STANDARD and TSB_COMPILE_FLAGS. <other
# library>: the file name of one that static ones need.
#
# Callers of pkg-config sort its words by kind: CMake's pkg_check_modules and Meson put those of the linker in front of
# the program's objects, and look for the file of each -l. So each word is complete by itself.
function(z_tsb_libtorch_pkg_config root linkage archives shared)
  set(others ${ARGN})
  set(TSB_LINKAGE ${linkage})
  if(linkage STREQUAL "static")
    set(TSB_PC_KEEP --whole-archive)
    string(APPEND TSB_COMPILE_FLAGS " -fvisibility-inlines-hidden") # as in Caffe2Targets-static.cmake
    set(suffix a)
    set(libraries ${archives})
    if(NOT archives)
      set(libraries c10 torch_cpu)
    endif()
    set(words ${libraries})
    list(REVERSE words) # one that needs another one is before it
    list(TRANSFORM others PREPEND ":")
    list(APPEND words ${others} pthread dl rt m)
  else()
    set(TSB_PC_KEEP --no-as-needed)
    set(suffix so)
    set(libraries torch ${shared} torch_cpu c10)
    set(words ${libraries})
  endif()
  list(TRANSFORM libraries REPLACE "(.+)" ",\${libdir}/lib\\1.${suffix}" OUTPUT_VARIABLE TSB_PC_FILES)
  list(JOIN TSB_PC_FILES "" TSB_PC_FILES)
  list(TRANSFORM words PREPEND " -l")
  list(JOIN words "" TSB_PC_LIBRARIES)
  set(TSB_PC_OTHER_HEADERS "")
  if(EXISTS "${root}/include/third_party")
    set(TSB_PC_OTHER_HEADERS " -idirafter\${includedir}/third_party")
  endif()
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/pkgconfig/torch.pc.in" "${root}/lib/pkgconfig/torch.pc" @ONLY)
endfunction()
