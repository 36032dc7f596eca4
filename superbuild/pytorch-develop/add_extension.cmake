# SPDX-License-Identifier: BSD-3-Clause
# Makes torch/_C and functorch/_C in the checkout, which otherwise setup.py makes behind PyTorch's own build: here they
# are part of it, and only made again when their sources are new.
# https://github.com/pytorch/pytorch/blob/v2.6.0/setup.py (configure_extension_build)

function(z_tsb_add_extension)
  set(module "_C.${Python_SOABI}")
  add_library(torch_extension MODULE "${CMAKE_SOURCE_DIR}/torch/csrc/stub.c")
  target_link_libraries(torch_extension PRIVATE torch_python Python::Module)
  set_target_properties(
    torch_extension
    PROPERTIES
      PREFIX ""
      OUTPUT_NAME "${module}"
      INSTALL_RPATH "$ORIGIN/lib"
      LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/torch"
  )
  install(TARGETS torch_extension DESTINATION "${CMAKE_INSTALL_PREFIX}")
  if(TARGET functorch)
    set_target_properties(functorch PROPERTIES OUTPUT_NAME "${module}")
  endif()
endfunction()

cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL z_tsb_add_extension)
