# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_system_package.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../cuda/z_tsb_cuda_license.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../cuda/z_tsb_cuda_versions.cmake)

# z_tsb_place_cuda_license(<artifact json> <root> <package> <library> <SONAME>): share/licenses/<package>/, once for each
# text. Sets <out-var> to its path below share/licenses.
function(
  z_tsb_place_cuda_license
  out
  artifact
  root
  package
  library
  soname
)
  z_tsb_cuda_license(text "${artifact}" ${package} "${library}" "${soname}")
  file(SHA256 "${text}" hash)
  set(folder "${root}/share/licenses/${package}")
  file(GLOB texts "${folder}/*")
  foreach(other IN LISTS texts)
    file(SHA256 "${other}" known)
    if(known STREQUAL hash)
      get_filename_component(name "${other}" NAME)
      set(${out} "${package}/${name}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  get_filename_component(name "${text}" NAME)
  if(EXISTS "${folder}/${name}") # another text of the same name
    set(name "${soname}-${name}")
  endif()
  file(MAKE_DIRECTORY "${folder}")
  file(COPY_FILE "${text}" "${folder}/${name}")
  set(${out} "${package}/${name}" PARENT_SCOPE)
endfunction()

# z_tsb_cuda_headers_owner(<json-var> <artifact json> <root>): the toolkit's headers are compiled into libtorch_cuda, so its
# licence belongs to every CUDA artifact: "cuda-toolkit" in the table.
function(z_tsb_cuda_headers_owner z_tsb_table artifact root)
  z_tsb_json_get(cuda "${artifact}" cuda_version)
  if(NOT cuda)
    return()
  endif()
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  file(GLOB runtime "${build_folder}/packages/cuda-toolkit/install/lib/libcudart.so.[0-9]*")
  if(NOT runtime)
    tsb_fail("package cuda-toolkit has no libcudart.so" "see the log of its stage phase")
  endif()
  list(SORT runtime COMPARE NATURAL)
  list(GET runtime 0 runtime)
  get_filename_component(soname "${runtime}" NAME)
  get_filename_component(runtime "${runtime}" REALPATH)
  z_tsb_place_cuda_license(text "${artifact}" "${root}" cuda-toolkit "${runtime}" "${soname}")
  z_tsb_cuda_machine(toolkit "${artifact}" cuda-toolkit)
  z_tsb_json_get(version "${toolkit}" version)
  set(entry "{}")
  z_tsb_json_set_string(entry version "${version}")
  z_tsb_json_set_string(entry text "${text}")
  string(JSON table SET "${${z_tsb_table}}" cuda-toolkit "${entry}")
  set(${z_tsb_table} "${table}" PARENT_SCOPE)
endfunction()

# z_tsb_cuda_library_version(<out-var> <versions> <package> <SONAME>): from what z_tsb_cuda_versions gives; for what is not
# in it, empty.
function(z_tsb_cuda_library_version out versions package soname)
  set(member "${package}")
  if(package STREQUAL "cuda-toolkit")
    string(REGEX REPLACE "^lib([A-Za-z]+).*" "\\1" member "${soname}")
    string(TOLOWER "${member}" member)
    string(REGEX REPLACE "^cublaslt$" "cublas" member "${member}")
  endif()
  z_tsb_json_get(version "${versions}" ${member})
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

# z_tsb_libtorch_licenses(<artifact json> <root of the staged tree> <bundle report> <owners>)
#
# share/licenses/<library>/ for every library that was copied from the machine: the text that the distribution ships for
# the package that owns the library. Of NVIDIA's libraries share/licenses/<package>/, such as cuda-toolkit, with the text from
# where the machine has it. The file <owners> receives the owner: {"<library>": {"package", "version"}}, of NVIDIA's also
# "text", its place below share/licenses.
# The licences of what was built are the business of z_tsb_libtorch_sbom.
function(z_tsb_libtorch_licenses artifact root report owners)
  set(table "{}")
  z_tsb_cuda_headers_owner(table "${artifact}" "${root}")
  z_tsb_cuda_versions(versions "${artifact}")
  file(READ "${report}" bundle)
  z_tsb_json_get_each(names "${bundle}" bundled name)
  z_tsb_json_get_each(files "${bundle}" bundled from)
  foreach(name from IN ZIP_LISTS names files)
    z_tsb_cuda_owner(package "${artifact}" "${name}")
    if(package)
      z_tsb_place_cuda_license(text "${artifact}" "${root}" ${package} "${package_file}" "${name}")
      z_tsb_cuda_library_version(version "${versions}" ${package} "${name}")
      set(entry "{}")
      z_tsb_json_set_string(entry package "${package}")
      z_tsb_json_set_string(entry version "${version}")
      z_tsb_json_set_string(entry text "${text}")
      string(JSON table SET "${table}" "${from}" "${entry}")
      continue()
    endif()
    z_tsb_system_package(owner "${from}")
    if(NOT owner_license)
      tsb_fail(
        "the licence of ${name}, bundled from ${from}, is not known"
        "install the package that holds its licence, or build an artifact without-deps"
      )
    endif()
    string(REGEX REPLACE "\\.so.*" "" folder "${name}")
    file(MAKE_DIRECTORY "${root}/share/licenses/${folder}")
    get_filename_component(text "${owner_license}" REALPATH)
    file(COPY_FILE "${text}" "${root}/share/licenses/${folder}/copyright")
    set(entry "{}")
    z_tsb_json_set_string(entry package "${owner}")
    z_tsb_json_set_string(entry version "${owner_version}")
    string(JSON table SET "${table}" "${from}" "${entry}")
  endforeach()
  z_tsb_write_file("${owners}" "${table}\n")
endfunction()
