# SPDX-License-Identifier: BSD-3-Clause
# add_extension.cmake on a project with PyTorch's targets: torch/_C and functorch/_C lie in the checkout, and Python
# imports them from there.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_run.cmake")
find_program(python python3 REQUIRED)
execute_process(
  COMMAND "${python}" -c "import sysconfig; print(sysconfig.get_paths()['include'] + '/Python.h')"
  OUTPUT_VARIABLE header OUTPUT_STRIP_TRAILING_WHITESPACE
)
if(NOT EXISTS "${header}")
  message("SKIP: there is no ${header}")
  return()
endif()
set(mine "${TSB_TEST_DIR}/my checkout")
set(module "PyModuleDef it = {PyModuleDef_HEAD_INIT, \"it\"};")
file(WRITE "${mine}/torch/__init__.py" "")
file(WRITE "${mine}/functorch/__init__.py" "")
file(COPY "${TSB_SOURCE_DIR}/tests/fixtures/pytorch-stand-in/torch/csrc/stub.c" DESTINATION "${mine}/torch/csrc")
file(
  WRITE "${mine}/python.c" "#include <Python.h>\n${module}\nPyObject* initModule() { return PyModule_Create(&it); }\n"
)
file(WRITE "${mine}/dim.c" "#include <Python.h>\n${module}\nPyObject* PyInit__C() { return PyModule_Create(&it); }\n")
file(
  WRITE "${mine}/CMakeLists.txt"
  [[cmake_minimum_required(VERSION 3.25)
project(Torch LANGUAGES C)
find_package(Python COMPONENTS Interpreter Development.Module REQUIRED)
add_library(torch_python SHARED python.c)
target_link_libraries(torch_python PRIVATE Python::Module)
install(TARGETS torch_python DESTINATION lib)
if(WITH_FUNCTORCH)
  add_library(functorch MODULE dim.c)
  target_link_libraries(functorch PRIVATE Python::Module)
  set_target_properties(functorch PROPERTIES PREFIX "")
  install(TARGETS functorch DESTINATION "${CMAKE_SOURCE_DIR}/functorch")
endif()
]]
)

foreach(with IN ITEMS OFF ON)
  foreach(
    command IN
    ITEMS
      "-S;${mine};-B;${TSB_TEST_DIR}/build;-G;Ninja;-DWITH_FUNCTORCH=${with};-DPython_EXECUTABLE=${python};-DCMAKE_INSTALL_PREFIX=${mine}/torch;-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=${TSB_SOURCE_DIR}/superbuild/pytorch-develop/add_extension.cmake"
      "--build;${TSB_TEST_DIR}/build;--target;install"
  )
    tsb_run(code output "${CMAKE_COMMAND}" ${command})
    tsb_expect("the build" EQUAL "${code}" 0)
  endforeach()
  set(wanted "torch._C")
  if(with)
    string(APPEND wanted ", functorch._C")
  endif()
  tsb_run(code output "${CMAKE_COMMAND}" -E env "PYTHONPATH=${mine}" "${python}" -c "import ${wanted}")
  tsb_expect("importing ${wanted}" EQUAL "${code}" 0)
endforeach()
