# SPDX-License-Identifier: BSD-3-Clause
# nvcc and the compiler that it hands C++ to: too new by the toolkit's own header, and what is offered instead.
include(${CMAKE_CURRENT_LIST_DIR}/cuda_machine.cmake)
fake_toolkit(${root}/opt/cuda 12.4.131 GCC 13 CLANG 18)

# gcc(<name> <major>), clang(<name> <major>)
function(gcc name major)
  tool(
    ${name} "echo '#define __GNUC__ ${major}'; echo '#define __GNUC_MINOR__ 2'; echo '#define __GNUC_PATCHLEVEL__ 0'"
  )
endfunction()
function(clang name major)
  tool(${name} "echo '#define __GNUC__ 4'; echo '#define __clang_major__ ${major}'")
endfunction()
set(checks cuda_toolkit cuda_host_compiler)

gcc(c++ 13)
cuda_doctor(${checks})
passes(
  "-- CUDA host compiler: gcc 13.2.0 (${bin}/c++)" "TSB_CUDA_HOST_COMPILER is [${bin}/c++]"
  "TSB_CUDA_HOST_COMPILER_VERSION is [gcc 13.2.0]"
)

# Too new: with a fitting one, and without.
gcc(c++ 14)
cuda_doctor(${checks})
fails(
  1 "CUDA host compiler: ${bin}/c++ is gcc 14.2.0, and nvcc 12.4.131 takes gcc up to 13 only"
  "-> apt-get install g++-13, and set TSB_CUDA_HOST_COMPILER=g++-13"
)
tsb_expect("nothing exported" LACKS "${output}" "TSB_CUDA_HOST_COMPILER is")
# The newest that the distribution has; the greatest where that is not known.
tool(apt-cache "[ $2 = g++-12 ] && echo '  Candidate: 12.5.0-11' || echo '  Candidate: (none)'")
cuda_doctor(${checks})
fails(1 "-> apt-get install g++-12, and set TSB_CUDA_HOST_COMPILER=g++-12")
file(REMOVE ${bin}/apt-cache)
gcc(g++-11 11)
gcc(g++-12 12)
gcc(g++-14 14)
cuda_doctor(${checks})
fails(1 "-> set TSB_CUDA_HOST_COMPILER=${bin}/g++-12, which is here and fits")
cuda_doctor(${checks} ENVIRONMENT TSB_CUDA_HOST_COMPILER=g++-12)
passes("-- CUDA host compiler: gcc 12.2.0 (${bin}/g++-12)")
cuda_doctor(${checks} ENVIRONMENT CXX=g++-14 TSB_CUDA_HOST_COMPILER=${bin}/g++-11)
passes("-- CUDA host compiler: gcc 11.2.0 (${bin}/g++-11)")
# The override is looked at as well.
cuda_doctor(${checks} ENVIRONMENT TSB_CUDA_HOST_COMPILER=/nowhere/g++)
fails(1 "CUDA host compiler: there is no /nowhere/g++")
tool(odd "echo nothing")
cuda_doctor(${checks} ENVIRONMENT TSB_CUDA_HOST_COMPILER=odd)
fails(1 "CUDA host compiler: ${bin}/odd is neither gcc nor clang")

# clang has a limit of its own.
clang(clang++ 17)
cuda_doctor(${checks} ENVIRONMENT CXX=clang++)
passes("-- CUDA host compiler: clang 17 (${bin}/clang++)")
clang(clang++ 18)
cuda_doctor(${checks} ENVIRONMENT CXX=clang++)
fails(1 "${bin}/clang++ is clang 18, and nvcc 12.4.131 takes clang up to 17 only")

# Without a toolkit there is one problem, not two.
file(REMOVE_RECURSE ${root}/opt)
cuda_doctor(${checks})
fails(1 "CUDA toolkit: 12.4 is needed")
