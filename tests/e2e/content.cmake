# SPDX-License-Identifier: BSD-3-Clause
# The zip has the tree of an official libtorch, says what it is made of, and holds nothing that does not belong in it.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
file(ARCHIVE_EXTRACT INPUT "${first_zip}" DESTINATION "${TSB_TEST_DIR}/out")
file(GLOB top RELATIVE "${TSB_TEST_DIR}/out" "${TSB_TEST_DIR}/out/*")
tsb_expect("the top" EQUAL "${top}" libtorch)
set(root "${TSB_TEST_DIR}/out/libtorch")
foreach(
  file IN
  ITEMS
    build-version build-hash manifest.json include/torch/csrc/api/include/torch/torch.h include/ATen/Context.h
    include/c10/util/Exception.h include/sleef.h lib/libc10.so lib/libtorch.so lib/libtorch_cpu.so
    lib/libtorch_global_deps.so share/cmake/Torch/TorchConfig.cmake share/cmake/Caffe2/Caffe2Targets.cmake
)
  tsb_expect("the tree" EXISTS "${root}/${file}")
endforeach()
tsb_expect_file("build-version" EQUAL "${root}/build-version" "${pytorch}+cpu\n")
tsb_expect_file("build-hash" EQUAL "${root}/build-hash" "0123456789abcdef0123456789abcdef01234567\n")

file(GLOB_RECURSE files RELATIVE "${root}" "${root}/*")
foreach(pattern IN ITEMS "libtorch_python" "\\.a$" "\\.la$" "/libshm" "^include/(asmjit|fbgemm)/")
  set(strays ${files})
  list(FILTER strays INCLUDE REGEX "${pattern}")
  tsb_expect("strays (${pattern})" EQUAL "${strays}" "")
endforeach()

# Nor does the store keep for nobody what PyTorch's third-party tree installs.
file(GLOB archives "${first}/build/${preset}/packages/pytorch/install/lib/*.a")
tsb_expect("archives in the install tree" EQUAL "${archives}" "")

file(READ "${root}/manifest.json" manifest)
foreach(feature IN ITEMS FBGEMM GLOO ITT MKLDNN NNPACK OPENMP)
  string(JSON enabled GET "${manifest}" features ${feature} enabled)
  tsb_expect("${feature}" EQUAL "${enabled}" ON)
endforeach()
set(names "")
string(JSON count LENGTH "${manifest}" packages)
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
  string(JSON name GET "${manifest}" packages ${index} name)
  list(APPEND names ${name})
  string(JSON sources LENGTH "${manifest}" packages ${index} sources)
  math(EXPR last_source "${sources} - 1")
  foreach(source RANGE ${last_source})
    string(JSON sha256 GET "${manifest}" packages ${index} sources ${source} sha256)
    if(NOT sha256 MATCHES "^[0-9a-f]+$")
      message(FATAL_ERROR "${name}: source ${source} has no hash in the manifest")
    endif()
  endforeach()
  if(name STREQUAL "pytorch")
    string(JSON patch GET "${manifest}" packages ${index} patches 0 reason)
    tsb_expect("the patch's reason" CONTAINS "${patch}" "USE_SYSTEM_SLEEF finds the library but not its header")
  endif()
  file(GLOB licences "${root}/share/licenses/${name}/*")
  if(NOT licences)
    message(FATAL_ERROR "${name} has no licence in share/licenses")
  endif()
endforeach()
list(SORT names)
tsb_expect("packages" EQUAL "${names}" "mkl;protobuf;pytorch;sleef")

# The bill of materials: what is really inside, with a licence text each, and the same beside the zip.
file(READ "${root}/sbom.cdx.json" bill)
string(JSON count LENGTH "${bill}" components)
math(EXPR last "${count} - 1")
set(names "")
foreach(index RANGE ${last})
  string(JSON name GET "${bill}" components ${index} bom-ref)
  list(APPEND names ${name})
  if(name STREQUAL "fbgemm")
    string(JSON inside GET "${bill}" components ${index} components 0 name)
    tsb_expect("what is inside FBGEMM" EQUAL "${inside}" asmjit)
    tsb_expect_file("its licence" CONTAINS "${root}/share/licenses/asmjit/LICENSE.md" "asmjit stand-in")
  endif()
  string(REGEX REPLACE "^bundled-" "" folder "${name}")
  file(GLOB licences "${root}/share/licenses/${folder}/*")
  if(NOT licences)
    message(FATAL_ERROR "${name} is in the bill of materials and has no licence in share/licenses")
  endif()
endforeach()
list(SORT names)
tsb_expect(
  "components" EQUAL "${names}"
  "bundled-libgomp;cpuinfo;fbgemm;gloo;ittapi;mkl;mkl-include;nnpack;onednn;protobuf;pytorch;sleef"
)
string(REGEX REPLACE "\\.zip$" "" base "${first_zip}")
foreach(kind IN ITEMS spdx cdx)
  file(READ "${root}/sbom.${kind}.json" inside)
  tsb_expect_file("the ${kind} beside the zip" EQUAL "${base}.${kind}.json" "${inside}")
endforeach()

# The debug information, in a zip of its own.
string(JSON debug_package GET "${manifest}" debug_package)
tsb_expect("the debug package" EQUAL "${debug_package}" "debug-${zip_name}")
set(debug "${TSB_TEST_DIR}/debug")
file(ARCHIVE_EXTRACT INPUT "${first}/dist/${debug_package}" DESTINATION "${debug}")
file(GLOB_RECURSE files RELATIVE "${debug}/libtorch/lib/.debug" "${debug}/*.so.debug")
list(SORT files)
tsb_expect(
  "debug files" EQUAL "${files}"
  "libc10.so.debug;libtorch.so.debug;libtorch_cpu.so.debug;libtorch_global_deps.so.debug"
)
file(GLOB links "${debug}/libtorch/lib/.debug/.build-id/??/*.debug")
list(LENGTH links count)
tsb_expect("links by build ID" EQUAL "${count}" 4)

# No folder of the machine that made it, in any file.
foreach(path IN ITEMS "${WORK}" "${first}")
  execute_process(COMMAND grep -rlF -e "${path}" "${root}" "${debug}" OUTPUT_VARIABLE found)
  tsb_expect("files that name ${path}" EQUAL "${found}" "")
endforeach()

# The statements: what was made from what, without a folder of the machine.
foreach(file IN ITEMS "${first_zip}" "${first}/dist/debug-${zip_name}")
  file(READ "${file}.intoto.json" statement)
  tsb_expect("the statement of ${file}" LACKS "${statement}" "${WORK}")
  foreach(source IN ITEMS pytorch sleef cpuinfo six stand-in-sleef-package.patch "CXX compiler, assembler and linker")
    tsb_expect("the statement of ${file}" CONTAINS "${statement}" "\"name\": \"${source}\"")
  endforeach()
endforeach()
