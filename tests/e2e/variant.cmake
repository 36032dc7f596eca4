# SPDX-License-Identifier: BSD-3-Clause
# The commands of docs/variants.md make a variant that lies beside the plain zip, says what it is, and compiles PyTorch
# alone. A patch that does not apply is found by configure, and leaves all as it was.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/document.cmake)
set(tree "${WORK}/variant")
copy_tree("${tree}")
set(build "${tree}/build/${preset}")
set(store ENVIRONMENT "TSB_STORE=${WORK}/store of a folder")
file(WRITE "${tree}/dist/${zip_name}" "the plain one\n")
commands_of(script "${tree}/docs/variants.md")
string(REGEX MATCH "\nunset TSB.*" clean_up "${script}")
string(REPLACE "${clean_up}" "" script "${script}")
run_in("${tree}" ${store} COMMAND sh -euc "${script}")
good("the page's commands")

tsb_expect("what is built again" CONTAINS "${output}" "sleef: taken from the store" "-- pytorch build")
tsb_expect("what counts" CONTAINS "${output}" "TSB_PYTORCH_OPTIONS: USE_KINETO=OFF counts instead of the release's ON")
string(REPLACE "+cpu" "+cpu.mine.1" own "${zip_name}")
tsb_expect("the variant" EXISTS "${tree}/dist/${own}")
tsb_expect_file("the plain one" EQUAL "${tree}/dist/${zip_name}" "the plain one\n")
tsb_expect_file("the patch" CONTAINS "${build}/packages/pytorch/log/configure.log" "-- my own PyTorch")
tsb_expect_file(
  "the options" CONTAINS "${build}/packages/pytorch/build/CMakeCache.txt" "USE_KINETO:BOOL=OFF"
  "USE_COLORIZE_OUTPUT:UNINITIALIZED=OFF"
)
execute_process(COMMAND unzip -p "${tree}/dist/${own}" libtorch/manifest.json OUTPUT_VARIABLE manifest)
file(READ "${tree}/dist/${own}.intoto.json" statement)
string(JSON variant GET "${manifest}" variant)
string(JSON stated GET "${statement}" predicate buildDefinition externalParameters variant)
string(JSON expected EQUAL "${variant}" "${stated}")
tsb_expect("the statement has the same" EQUAL "${expected}" ON)
string(
  JSON expected EQUAL "${variant}"
  [[{"version_suffix": "mine.1", "pytorch_options": ["USE_KINETO=OFF", "USE_COLORIZE_OUTPUT=OFF"],
     "patches": ["pytorch/0001-say-so.patch"]}]]
)
tsb_expect("the variant in the manifest: ${variant}" EQUAL "${expected}" ON)
string(JSON reason GET "${manifest}" features KINETO reason)
tsb_expect("why it is off" EQUAL "${reason}" "TSB_PYTORCH_OPTIONS has USE_KINETO=OFF")
file(SHA256 "${tree}/my/patches/pytorch/0001-say-so.patch" hash)
tsb_expect("the patch in the statement" CONTAINS "${statement}" "\"pytorch/0001-say-so.patch\"" "\"${hash}\"")

# What an IDE asks for.
run_in(
  "${tree}" ${store}
  COMMAND "${CMAKE_COMMAND}" --preset ${preset} "-DTSB_PATCHES=my/patches" -DTSB_VERSION_SUFFIX=mine.1
          "-DTSB_PYTORCH_OPTIONS=USE_KINETO=OFF,USE_COLORIZE_OUTPUT=OFF" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
)
good("with compile commands")
run_in("${tree}" ${store} COMMAND "${CMAKE_COMMAND}" --build "${build}" --target compile_commands)
good("compile commands")
tsb_expect("compile commands" CONTAINS "${output}" "not compiled here: sleef, protobuf")
file(READ "${build}/compile_commands.json" json)
string(JSON file GET "${json}" 0 file)
tsb_expect("a source of PyTorch: ${file}" EXISTS "${file}")
run_in("${tree}" COMMAND "${CMAKE_COMMAND}" --build "${build}" --target help)
tsb_expect("the targets" CONTAINS "${output}" "fetch" "explain" "check")
tsb_expect("the targets" LACKS "${output}" "Nightly" "Experimental")

# Without the page's own settings.
set(environment TSB_PATCHES=my/patches TSB_VERSION_SUFFIX=mine.1)
file(WRITE "${tree}/my/patches/pytorch/0002.patch" "--- a/NOTICE\n+++ b/NOTICE\n@@ -1 +1 @@\n-not it\n+mine\n")
run_in("${tree}" ${store} ${environment} COMMAND "${CMAKE_COMMAND}" --preset ${preset})
if(status EQUAL 0)
  message(FATAL_ERROR "a patch that does not apply: ${output}")
endif()
tsb_expect(
  "a patch that does not apply" CONTAINS "${output}" "my/patches/pytorch/0002.patch does not apply to source pytorch, "
  "checking file NOTICE" "Hunk #1 FAILED at 1"
)
tsb_expect("what was built" EXISTS "${build}/packages/pytorch/build/CMakeCache.txt")
file(REMOVE "${tree}/my/patches/pytorch/0002.patch")
run_in("${tree}" COMMAND sh -euc "${clean_up}")
good("cleaning up")
