# SPDX-License-Identifier: BSD-3-Clause
# Toolkits in every layout, found in the order that is promised, each once; what is in the result is read, not guessed.
include(${CMAKE_CURRENT_LIST_DIR}/fake_toolkit.cmake)
set(root "${TSB_TEST_DIR}/root")
set(site "${TSB_TEST_DIR}/python/site-packages")

# find(<NAME=value of the environment>...): sets toolkits, and list: a line "way layout version fault" for each.
function(find)
  find_toolkits("${root}" ${ARGN})
  set(lines "")
  string(JSON count LENGTH "${toolkits}")
  if(count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      set(line "")
      foreach(member IN ITEMS found_by layout version fault)
        string(JSON value GET "${toolkits}" ${index} ${member})
        string(APPEND line "${value} ")
      endforeach()
      string(STRIP "${line}" line)
      string(APPEND lines "${line}\n")
    endforeach()
  endif()
  message("${lines}")
  return(PROPAGATE toolkits lines)
endfunction()

file(MAKE_DIRECTORY "${TSB_TEST_DIR}/bin")
find()
tsb_expect("none" EQUAL "${lines}" "")

fake_toolkit("${root}/usr/local/cuda-12.4" 12.4.131)
fake_toolkit("${root}/usr/local/cuda-12.10" 12.10.1)
fake_toolkit("${root}/usr/local/cuda-11.8" 11.8.89)
file(CREATE_LINK cuda-12.4 "${root}/usr/local/cuda" SYMBOLIC)
fake_toolkit("${root}/opt/cuda" 13.0.88)
fake_toolkit("${root}/usr" 12.2.140 LAYOUT distribution)
fake_toolkit("${TSB_TEST_DIR}/conda" 12.6.85 LAYOUT conda)
fake_toolkit("${site}/nvidia/cu13" 13.0.48 LAYOUT pip)
file(MAKE_DIRECTORY "${site}/nvidia/cuda_nvcc" "${site}/nvidia_cuda_nvcc_cu12-12.4.131.dist-info")
executable("${TSB_TEST_DIR}/bin/python3" "echo '${site}'; echo /nowhere")
# A script on the PATH that starts the toolkit's nvcc, as some put into /usr/local/bin.
executable(
  "${TSB_TEST_DIR}/bin/nvcc"
  "if [ \"$1\" = --dryrun ]; then echo '#$ TOP=${root}/usr/local/cuda-12.10/bin/..' >&2; exit 1; fi"
)
find(TSB_CUDA_HOME=${root}/opt/cuda CUDA_HOME=${root}/usr/local/cuda CONDA_PREFIX=${TSB_TEST_DIR}/conda)
tsb_expect(
  "all layouts" EQUAL "${lines}" "TSB_CUDA_HOME standard 13.0.88
CUDA_HOME standard 12.4.131
PATH standard 12.10.1
/usr/local standard 11.8.89
distribution distribution 12.2.140
conda conda 12.6.85
pip pip 13.0.48
pip pip 12.4.131 the packages of CUDA 11 and 12 for pip have no nvcc
"
)
string(JSON nvcc GET "${toolkits}" 4 nvcc)
tsb_expect("the program, not the script" EQUAL "${nvcc}" "${root}/usr/lib/nvidia-cuda-toolkit/bin/nvcc")
string(JSON cudart GET "${toolkits}" 4 library_versions cudart)
tsb_expect("of the header" EQUAL "${cudart}" 12.2)
string(JSON cublas GET "${toolkits}" 4 library_versions cublas)
tsb_expect("of the header" EQUAL "${cublas}" 12.4.5.8)
string(JSON curand ERROR_VARIABLE absent GET "${toolkits}" 4 library_versions curand)
tsb_expect("not guessed" EQUAL "${curand}" "4-library_versions-curand-NOTFOUND")

# NVIDIA's installers state the versions; else the name of the library's file does.
file(
  WRITE "${root}/usr/local/cuda-11.8/version.json"
  "{\"cuda_cudart\": {\"version\": \"11.8.89\"}, \"cuda_nvrtc\": {\"version\": \"11.8.90\"}}"
)
file(WRITE "${root}/usr/local/cuda-11.8/lib64/libcurand.so.11.3.0.86" "")
file(REMOVE "${root}/usr/local/cuda-11.8/lib64/libcurand.so.11")
file(CREATE_LINK libcurand.so.11.3.0.86 "${root}/usr/local/cuda-11.8/lib64/libcurand.so.11" SYMBOLIC)
find(TSB_CUDA_HOME=${root}/usr/local/cuda-11.8)
foreach(case IN ITEMS "cudart 11.8.89" "nvrtc 11.8.90" "curand 11.3.0.86")
  string(REPLACE " " ";" case "${case}")
  list(GET case 0 library)
  list(GET case 1 expected)
  string(JSON version GET "${toolkits}" 0 library_versions ${library})
  tsb_expect("${library}" EQUAL "${version}" ${expected})
endforeach()

# An unpacked distribution below another root, whose profile is a link to a file that is not there.
file(RENAME "${root}/usr" "${TSB_TEST_DIR}/unpacked")
file(REMOVE "${TSB_TEST_DIR}/unpacked/lib/nvidia-cuda-toolkit/bin/nvcc.profile")
file(CREATE_LINK /nowhere/nvcc.profile "${TSB_TEST_DIR}/unpacked/lib/nvidia-cuda-toolkit/bin/nvcc.profile" SYMBOLIC)
file(REMOVE "${TSB_TEST_DIR}/bin/nvcc" "${TSB_TEST_DIR}/bin/python3")
find(TSB_CUDA_HOME=${TSB_TEST_DIR}/unpacked)
tsb_expect("unpacked" CONTAINS "${lines}" "TSB_CUDA_HOME distribution 12.2.140")

# A part of another version: nvcc would use it without a word.
set(unpacked "${TSB_TEST_DIR}/unpacked")
cuda_tool("${unpacked}/bin/ptxas" 13.0.88)
file(REMOVE "${unpacked}/bin/bin2c")
file(WRITE "${unpacked}/lib/nvidia-cuda-toolkit/bin/cicc" "Cuda compilation tools, release 12.6, V12.6.85")
file(WRITE "${unpacked}/include/cuda_runtime_api.h" "#define CUDART_VERSION  12080\n")
executable("${unpacked}/bin/nvlink" "exit 127")
find(TSB_CUDA_HOME=${unpacked})
tsb_expect(
  "mixed" CONTAINS "${lines}" "its ptxas (${unpacked}/bin/ptxas) is V13.0.88," "it lacks bin2c,"
  "its nvlink (${unpacked}/bin/nvlink) does not run"
  "its cicc (${unpacked}/lib/nvidia-cuda-toolkit/bin/cicc) is V12.6.85,"
  "its header ${unpacked}/include/cuda_runtime_api.h is 12.8"
)

# What makes a toolkit useless is reported.
file(
  REMOVE "${TSB_TEST_DIR}/unpacked/lib/nvidia-cuda-toolkit/bin/cicc" "${TSB_TEST_DIR}/unpacked/include/cuda_runtime.h"
)
find(TSB_CUDA_HOME=${TSB_TEST_DIR}/unpacked)
tsb_expect("lacks" CONTAINS "${lines}" "it lacks ${TSB_TEST_DIR}/unpacked/lib/nvidia-cuda-toolkit/bin/cicc,")
tsb_expect("lacks" CONTAINS "${lines}" "it lacks the header cuda_runtime.h")
find(TSB_CUDA_HOME=${TSB_TEST_DIR}/bin)
tsb_expect("no toolkit" CONTAINS "${lines}" "TSB_CUDA_HOME there is no nvcc in it")
