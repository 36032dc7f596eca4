# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_system_package.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../backend/z_tsb_backend_packages.cmake)

# z_tsb_place_backend_license(<artifact json> <root> <package> <library> <SONAME>): share/licenses/<package>/, once for
# each text. Sets <out-var> to its path below share/licenses.
function(z_tsb_place_backend_license out artifact root package library soname)
  z_tsb_json_take(artifact build_folder backend)
  file(GLOB text "${build_folder}/packages/${package}/licenses/${package}/*")
  if(NOT text)
    tsb_ask_backend(text "${backend}" license "${artifact}" ${package} "${library}" "${soname}")
  endif()
  if(NOT text)
    tsb_fail(
      "the licence text of ${soname} (${library}) is not known"
      "name it in LICENSE_FILES of package ${package}, or let the backend's hook license find it"
    )
  endif()
  list(GET text 0 text)
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

# z_tsb_backend_headers_owner(<json-var> <artifact json> <root>): the toolkit's headers are compiled into PyTorch's
# libraries, so its licence belongs to every artifact of the backend: an entry for the toolkit in the table. Its member
# `headers` is the library whose licence they have.
function(z_tsb_backend_headers_owner z_tsb_table artifact root)
  z_tsb_json_take(artifact backend)
  tsb_ask_backend(library "${backend}" headers "${artifact}")
  if(library STREQUAL "")
    return()
  endif()
  z_tsb_json_take(backend toolkit)
  get_filename_component(soname "${library}" NAME)
  get_filename_component(library "${library}" REALPATH)
  z_tsb_place_backend_license(text "${artifact}" "${root}" ${toolkit} "${library}" "${soname}")
  z_tsb_machine_of_package(machine "${artifact}" ${toolkit})
  z_tsb_json_take(machine version)
  set(entry "{}")
  z_tsb_json_set_string(entry version "${version}")
  z_tsb_json_set_string(entry text "${text}")
  z_tsb_json_set_string(entry headers "${soname}")
  string(JSON table SET "${${z_tsb_table}}" ${toolkit} "${entry}")
  set(${z_tsb_table} "${table}" PARENT_SCOPE)
endfunction()

# z_tsb_libtorch_licenses(<artifact json> <root of the staged tree> <bundle report> <owners>)
#
# share/licenses/<library>/ for every library that was copied from the machine: the text that the distribution ships for
# the package that owns the library. The backend's libraries have theirs in share/licenses/<package>/, such as
# cuda-toolkit: what was built here its own, else the text that the hook `license` finds. The file <owners> receives the
# owner: {"<library>": {"package", "version"}}, of the backend's also "text", its place below share/licenses. The
# licences of what was built are the business of z_tsb_libtorch_sbom.
function(z_tsb_libtorch_licenses artifact root report owners)
  set(table "{}")
  z_tsb_backend_headers_owner(table "${artifact}" "${root}")
  z_tsb_json_take(artifact backend)
  tsb_ask_backend(versions "${backend}" versions "${artifact}")
  file(READ "${report}" bundle)
  z_tsb_json_get_each(names "${bundle}" bundled name)
  z_tsb_json_get_each(files "${bundle}" bundled from)
  foreach(name from IN ZIP_LISTS names files)
    z_tsb_backend_owner(package "${artifact}" "${name}")
    if(package)
      z_tsb_place_backend_license(text "${artifact}" "${root}" ${package} "${package_file}" "${name}")
      z_tsb_backend_library_version(version "${artifact}" "${versions}" "${name}")
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
