# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# nvcc hands them to the host's compiler. Its intermediate files' names get into the objects: beside the object they
# follow from its name, in /tmp from the process number.
function(z_tsb_cuda_compile_options out options)
  list(TRANSFORM options PREPEND "-Xcompiler=")
  list(PREPEND options --objdir-as-tempdir)
  set(${out} "add_compile_options(\"$<$<COMPILE_LANGUAGE:CUDA>:${options}>\")\n" PARENT_SCOPE)
endfunction()
