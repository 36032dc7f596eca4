# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_hide_declarations(<include folder>): has the macros of a static libtorch's headers declare nothing as visible.
#
# They are those of the shared libraries, whose macros (C10_EXPORT, which TORCH_API is; C10_CUDA_EXPORT) make all of a
# class visible. Then a plug-in also exports what its own objects have of such a class: GCC hides an inline function
# that is defined outside of its class (at::Tensor::mm) neither with -fvisibility-inlines-hidden nor with
# -fvisibility=hidden, and a second plug-in calls that of the first one. Upstream's comments promise that the macros
# have no effect with static libraries, which is so on Windows alone.
function(z_tsb_hide_declarations include)
  set(found "")
  file(GLOB_RECURSE headers "${include}/c10/*Macros.h" "${include}/c10/Export.h" "${include}/torch/Export.h")
  foreach(header IN LISTS headers)
    file(READ "${header}" content)
    string(REGEX REPLACE "(#define C10_[A-Z_]*EXPORT) __attribute__[^\n]*visibility[^\n]*" "\\1" hidden "${content}")
    if(NOT hidden STREQUAL content)
      file(WRITE "${header}" "${hidden}")
      string(APPEND found "${hidden}")
    endif()
  endforeach()
  if(NOT found MATCHES "#define C10_EXPORT\n")
    tsb_fail(
      "no header in ${include} defines C10_EXPORT as a visibility"
      "find where this release defines it, and name that header in packaging/tree/z_tsb_hide_declarations.cmake"
    )
  endif()
endfunction()
