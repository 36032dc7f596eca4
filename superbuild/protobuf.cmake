# SPDX-License-Identifier: BSD-3-Clause
# protobuf, for onnx in PyTorch. A package of its own since the copy in PyTorch's build (BUILD_CUSTOM_PROTOBUF=ON) does
# not link with hidden visibility at 3.21. Hidden, and in a namespace of its own, so that a program with a protobuf of
# its own does not meet ours.
if(target_cross)
  tsb_declare_package(
    protobuf-tools
    DESCRIPTION "protoc, for this machine"
    SOURCE protobuf
    BUILD_ONLY
    SYSTEM Threads
    OPTIONS BUILD_SHARED_LIBS=OFF protobuf_BUILD_TESTS=OFF protobuf_WITH_ZLIB=OFF
            CMAKE_RUNTIME_OUTPUT_DIRECTORY=@BUILD_DIR@/bin
    TARGETS protoc
    NO_INSTALL
    STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/shared/copy_programs.cmake"
    LICENSE_FILES LICENSE
    MEMORY_PER_JOB_MB 500
  )
endif()
tsb_declare_package(
  protobuf
  DESCRIPTION "Serialisation, static and hidden inside libtorch_cpu"
  SOURCE protobuf
  PROVIDES protobuf Protobuf
  SYSTEM Threads
  OPTIONS BUILD_SHARED_LIBS=OFF CMAKE_POSITION_INDEPENDENT_CODE=ON CMAKE_CXX_VISIBILITY_PRESET=hidden
          CMAKE_VISIBILITY_INLINES_HIDDEN=ON protobuf_BUILD_TESTS=OFF protobuf_WITH_ZLIB=OFF
  INCLUDE "${CMAKE_CURRENT_LIST_DIR}/pytorch/rename_namespaces.cmake"
  INPUTS ${model_symbols}
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/../packaging/sbom/record_linked.cmake"
  LICENSE_FILES LICENSE
  MEMORY_PER_JOB_MB 500
)
