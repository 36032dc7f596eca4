# SPDX-License-Identifier: BSD-3-Clause
# What of the official wheel becomes the Python layer: all of it but the libtorch, with the programs as they are.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(wheel "${TSB_TEST_DIR}/wheel")
set(site "${TSB_TEST_DIR}/install/site-packages")
set(info torch-9.9.0.dist-info)
foreach(
  file IN
  ITEMS torch/share/cmake/Torch/TorchConfig.cmake torch/include/libshm.h torch/lib/libshm/libshm.h torch/bin/ptxas
        torch/bin/protoc-3.13.0.0 torch/__init__.py torchgen/api.py ${info}/METADATA ${info}/WHEEL ${info}/RECORD
)
  file(WRITE "${wheel}/${file}" "${file}")
endforeach()
file(WRITE "${wheel}/${info}/entry_points.txt" "torchfrtrace = tools.fr:main\ntorchrun = torch.run:main\n")
file(WRITE "${TSB_TEST_DIR}/empty.c" "")
set(cc cc -shared "${TSB_TEST_DIR}/empty.c" -o)
foreach(
  file IN
  ITEMS
    torch/lib/libtorch_python.so torch/lib/libshm.so torch/lib/libtorch_global_deps.so torch/lib/libtorch_cpu.so
    torch/lib/libgomp.so.1 torch/_C.cpython-312-x86_64-linux-gnu.so torch/bin/torch_shm_manager
    functorch/_C.cpython-312-x86_64-linux-gnu.so
)
  get_filename_component(folder "${wheel}/${file}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  execute_process(COMMAND ${cc} "${wheel}/${file}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(
  COMMAND
    "${CMAKE_COMMAND}" "-DTSB_SOURCE_DIR=${wheel}" "-DTSB_INSTALL_DIR=${TSB_TEST_DIR}/install" -P
    "${TSB_SOURCE_DIR}/backends/official-cuda/packages/pytorch/copy_python_layer.cmake" COMMAND_ERROR_IS_FATAL ANY
)
file(GLOB_RECURSE all RELATIVE "${wheel}" "${wheel}/*")
file(GLOB_RECURSE found RELATIVE "${site}" "${site}/*")
list(
  REMOVE_ITEM all torch/share/cmake/Torch/TorchConfig.cmake torch/lib/libtorch_cpu.so torch/lib/libgomp.so.1
  ${info}/WHEEL ${info}/RECORD
)
tsb_expect("the files" EQUAL "${found}" "${all}")
tsb_expect_file("ptxas" EQUAL "${site}/torch/bin/ptxas" torch/bin/ptxas)
tsb_expect_file("the list to compare with" EQUAL "${TSB_TEST_DIR}/install/RECORD" ${info}/RECORD)
tsb_expect_file(
  "the scripts whose modules are there" EQUAL "${site}/${info}/entry_points.txt" "torchrun = torch.run:main\n"
)
