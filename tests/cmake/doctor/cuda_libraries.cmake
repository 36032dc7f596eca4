# SPDX-License-Identifier: BSD-3-Clause
# cuDNN and cuSPARSELt: where they are looked for, and those that do not do.
include(${CMAKE_CURRENT_LIST_DIR}/cuda_machine.cmake)
fake_toolkit(${root}/opt/cuda 12.4.131)
file(REMOVE ${root}/opt/cuda/include/cudnn.h ${root}/opt/cuda/lib64/libcudnn.so.9)

# cudnn(<include> <lib> <major> <minor> [<major of the library> [<CUDA>]])
function(cudnn include lib major minor)
  set(of_library ${major})
  if(ARGC GREATER 4)
    set(of_library ${ARGV4})
  endif()
  set(cuda 12)
  if(ARGC GREATER 5)
    set(cuda ${ARGV5})
  endif()
  file(
    WRITE ${include}/cudnn_version.h
    "#define CUDNN_MAJOR ${major}\n#define CUDNN_MINOR ${minor}\n#define CUDNN_PATCHLEVEL 0\n"
  )
  file(WRITE ${include}/cudnn.h "")
  file(WRITE ${lib}/libcudnn.so.${of_library} "")
  file(WRITE ${lib}/libcudnn_adv.so.${of_library} "opens libcublasLt.so.${cuda} by name")
endfunction()
set(checks cuda_toolkit cudnn)

# Without a toolkit, which the toolkit's own check says.
cuda_doctor(cudnn ENVIRONMENT HOME=/somebody)
fails(
  1
  "cuDNN: version 9 for CUDA 12 is needed, and there is none here"
  "-> python3 -m pip install --no-deps --target /somebody/nvidia-cu12 nvidia-cudnn-cu12==9.1.0.70, and set TSB_CUDNN_HOME=/somebody/nvidia-cu12"
)

# What that command gives.
cudnn(${TSB_TEST_DIR}/target/nvidia/cudnn/include ${TSB_TEST_DIR}/target/nvidia/cudnn/lib 9 1)
cuda_doctor(${checks} ENVIRONMENT TSB_CUDNN_HOME=${TSB_TEST_DIR}/target)
passes("-- cuDNN 9.1.0 in ${TSB_TEST_DIR}/target/nvidia/cudnn (TSB_CUDNN_HOME)")

# pip, conda, distribution, toolkit, TSB_CUDNN_HOME: each goes before the one before it here.
set(site ${TSB_TEST_DIR}/site-packages)
tool(python3 "echo '${site}'")
cudnn(${site}/nvidia/cudnn/include ${site}/nvidia/cudnn/lib 9 1)
file(MAKE_DIRECTORY ${site}/nvidia_cudnn_cu12-9.1.0.70.dist-info)
cuda_doctor(${checks})
passes(
  "-- cuDNN 9.1.0 in ${site}/nvidia/cudnn (pip); the official package has 9.1.0.70"
  "\"headers\" : [ \"${site}/nvidia/cudnn/include/cudnn.h\", \"${site}/nvidia/cudnn/include/cudnn_version.h\" ]"
  "\"libraries\" : [ \"${site}/nvidia/cudnn/lib/libcudnn.so.9\", \"${site}/nvidia/cudnn/lib/libcudnn_adv.so.9\" ]"
  "\"version\" : \"9.1.0\""
)
cudnn(${TSB_TEST_DIR}/conda/include ${TSB_TEST_DIR}/conda/lib 9 2)
cuda_doctor(${checks} ENVIRONMENT CONDA_PREFIX=${TSB_TEST_DIR}/conda)
passes("-- cuDNN 9.2.0 in ${TSB_TEST_DIR}/conda (conda)")
cudnn(${root}/usr/include/x86_64-linux-gnu ${root}/usr/lib/x86_64-linux-gnu 9 3)
cuda_doctor(${checks})
passes("-- cuDNN 9.3.0 in ${root}/usr (distribution)")
cudnn(${root}/opt/cuda/include ${root}/opt/cuda/lib64 9 4)
cuda_doctor(${checks})
passes("-- cuDNN 9.4.0 in ${root}/opt/cuda (toolkit)")
cudnn(${TSB_TEST_DIR}/mine/include ${TSB_TEST_DIR}/mine/lib64 9 5)
cuda_doctor(${checks} ENVIRONMENT TSB_CUDNN_HOME=${TSB_TEST_DIR}/mine)
passes("-- cuDNN 9.5.0 in ${TSB_TEST_DIR}/mine (TSB_CUDNN_HOME)")

# Another major version: named, passed over where another one fits.
cudnn(${TSB_TEST_DIR}/mine/include ${TSB_TEST_DIR}/mine/lib 8 9)
cuda_doctor(${checks} ENVIRONMENT TSB_CUDNN_HOME=${TSB_TEST_DIR}/mine)
fails(1 "cuDNN: version 9 for CUDA 12 is needed, found: 8.9.0 in ${TSB_TEST_DIR}/mine (TSB_CUDNN_HOME)")
cuda_doctor(${checks} ENVIRONMENT TSB_CUDNN_HOME=/nowhere)
fails(1 "cuDNN: version 9 for CUDA 12 is needed, and there is none in TSB_CUDNN_HOME, /nowhere")
# Header and library of different versions; one of another CUDA; a library or a header alone.
file(REMOVE_RECURSE ${root}/usr ${root}/opt/cuda/lib64/libcudnn.so.8 ${root}/opt/cuda/include/cudnn_version.h)
cudnn(${root}/usr/include ${root}/usr/lib64 9 1 8)
file(REMOVE_RECURSE ${site})
cuda_doctor(${checks})
fails(1 "9.1.0 in ${root}/usr (distribution), but its header is of 9.1.0 and its library of 8")
file(REMOVE_RECURSE ${root}/usr)
cudnn(${root}/usr/include ${root}/usr/lib64 9 1 9 13)
cuda_doctor(${checks})
fails(1 "9.1.0 in ${root}/usr (distribution), but it is for CUDA 13")
file(REMOVE_RECURSE ${root}/usr/lib64)
cuda_doctor(${checks})
fails(1 "9.1.0 in ${root}/usr (distribution), but it lacks the library libcudnn.so.<version>")

# cuSPARSELt is optional, but not when it was asked for by name.
cuda_doctor(cuda_toolkit cusparselt ENVIRONMENT HOME=/somebody)
passes(
  "off (python3 -m pip install --no-deps --target /somebody/nvidia-cu12 nvidia-cusparselt-cu12==0.6.2, and set TSB_CUSPARSELT_HOME="
  "TSB_CUSPARSELT is []"
)
cuda_doctor(cuda_toolkit cusparselt ENVIRONMENT TSB_CUSPARSELT_HOME=/nowhere)
fails(1 "cuSPARSELt: TSB_CUSPARSELT_HOME is /nowhere: there is none")
file(
  WRITE ${site}/cusparselt/include/cusparseLt.h
  "#define CUSPARSELT_VER_MAJOR 0\n#define CUSPARSELT_VER_MINOR 6\n#define CUSPARSELT_VER_PATCH 2\n"
)
file(WRITE ${site}/cusparselt/lib/libcusparseLt.so.0 "")
cuda_doctor(cuda_toolkit cusparselt)
passes(
  "-- cuSPARSELt 0.6.2 in ${site}/cusparselt (pip)" "\"libraries\" : [ \"${site}/cusparselt/lib/libcusparseLt.so.0\" ]"
)
file(MAKE_DIRECTORY ${site}/nvidia_cusparselt_cu13-0.8.0.dist-info)
cuda_doctor(cuda_toolkit cusparselt)
passes("are off" "; found: 0.6.2 in ${site}/cusparselt (pip), but it is for CUDA 13")
