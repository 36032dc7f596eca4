# SPDX-License-Identifier: BSD-3-Clause
# Part of packaging/consumer, for a package with CUDA. No toolkit is needed for it: what libtorch's headers want to know
# of CUDA's is in declarations.h.
if(NOT TARGET torch_cuda)
  return()
endif()
set(gpu_sources "")
foreach(
  name IN ITEMS architectures availability cudnn_version matrices linear_algebra libraries attention run_time_kernels
                execution collectives
)
  list(APPEND gpu_sources "${CMAKE_CURRENT_LIST_DIR}/${name}.cpp")
endforeach()
foreach(header cublasLt cublas_v2 cuda cuda_runtime cuda_runtime_api cusolverDn cusolver_common cusparse)
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/cuda_headers/${header}.h" "#include <declarations.h>\n")
endforeach()
set_source_files_properties(
  ${gpu_sources}
  PROPERTIES INCLUDE_DIRECTORIES
             "${CMAKE_CURRENT_BINARY_DIR}/cuda_headers;${CMAKE_CURRENT_LIST_DIR};${CMAKE_CURRENT_SOURCE_DIR}"
)
target_sources(checks PRIVATE ${gpu_sources})
set_source_files_properties(run_checks.cpp PROPERTIES COMPILE_DEFINITIONS CONSUMER_GPU)
foreach(target torch_consumer torch_consumer_library)
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
endforeach()
