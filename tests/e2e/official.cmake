# SPDX-License-Identifier: BSD-3-Clause
# A libtorch for the CPU out of wheels that are laid out like the official ones, made from the first copy's libtorch:
# without the part for CUDA, and with the two libraries of NVIDIA that the CPU's needs.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
include("${TSB_SOURCE_DIR}/cmake/model/tsb_read_record.cmake")
set(tree "${WORK}/official")
copy_tree("${tree}")
set(wheels "${WORK}/official wheels")
execute_process(
  COMMAND python3 "${CMAKE_CURRENT_LIST_DIR}/official_wheels.py" ${pytorch}
          "${first}/build/${preset}/packages/pytorch/install" "${wheels}" COMMAND_ERROR_IS_FATAL ANY
)
set(
  environment "TSB_PINS_FILE=${wheels}/sources.json" "TSB_SOURCE_MIRROR=${wheels}/mirror"
              "TSB_PYTORCH_VERSION=${pytorch}"
)
set(preset official-cpu-libtorch-shared)
workflow("${tree}" ENVIRONMENT ${environment})
good("${preset}")

set(name libtorch-shared-with-deps-${pytorch}+official.cpu)
file(GLOB packed RELATIVE "${tree}/dist" "${tree}/dist/*")
set(beside "${name}.zip.checks.json;${name}.zip.intoto.json")
tsb_expect("dist" EQUAL "${packed}" "${name}.cdx.json;${name}.spdx.json;${name}.zip;${beside}")
file(ARCHIVE_EXTRACT INPUT "${tree}/dist/${name}.zip" DESTINATION "${TSB_TEST_DIR}")
set(root "${TSB_TEST_DIR}/libtorch")
file(GLOB libraries RELATIVE "${root}/lib" "${root}/lib/*.so*")
tsb_expect(
  "libraries" EQUAL "${libraries}" "libc10.so;libcudart.so.13;libcupti.so.13;libgomp.so.1;libtorch.so;libtorch_cpu.so"
)
execute_process(COMMAND patchelf --print-needed "${root}/lib/libtorch.so" OUTPUT_VARIABLE needed)
tsb_expect("what libtorch.so needs" LACKS "${needed}" cuda)
# NVIDIA's terms are for its files as they are.
foreach(pair IN ITEMS runtime/libcudart cupti/libcupti)
  get_filename_component(library ${pair} NAME)
  get_filename_component(wheel ${pair} DIRECTORY)
  file(SHA256 "${wheels}/${wheel}/nvidia/cu13/lib/${library}.so.13" original)
  file(SHA256 "${root}/lib/${library}.so.13" packed)
  tsb_expect("${library}.so.13" EQUAL "${packed}" "${original}")
endforeach()
tsb_expect_file(
  "licences" CONTAINS "${root}/share/licenses/pytorch/THIRD_PARTY_LICENSES" "third_party/fmt/LICENSE" "fmt's terms."
  "GNU GENERAL PUBLIC LICENSE" "GCC RUNTIME LIBRARY EXCEPTION"
)
tsb_expect_file(
  "the bill on libgomp" CONTAINS "${root}/sbom.spdx.json" "GPL-3.0-or-later WITH GCC-exception-3.1"
  "the wheel's library libgomp"
)
tsb_read_record("${root}/manifest.json" manifest)
tsb_expect("what is not known of the compiler" EQUAL "${manifest_compiler}" "")
tsb_expect("what the libraries need" CONTAINS "${manifest_platform_glibc}" "2.")
tsb_expect("version" EQUAL "${manifest_version}" "${pytorch}+official.cpu")
tsb_expect("commit" EQUAL "${manifest_git_version}" 0123456789012345678901234567890123456789)

set(preset official-cpu-libtorch-shared-without-deps)
workflow("${tree}" ENVIRONMENT ${environment})
good("${preset}")
tsb_read_record("${tree}/build/${preset}/stage/libtorch-shared-without-deps/libtorch/manifest.json" manifest)
set(names "")
foreach(index IN LISTS manifest_host_libraries)
  list(APPEND names "${manifest_host_libraries_${index}_name}")
endforeach()
tsb_expect("from the machine" EQUAL "${names}" "libcudart.so.13;libcupti.so.13;libgomp.so.1")
