# SPDX-License-Identifier: BSD-3-Clause
# The pins of every release: nothing without a hash or a commit, no unknown licence, no place used twice.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
include("${scripts}/detail/z_tsb_json_get_or.cmake")
set(
  licenses
  Apache-2.0
  BSD-2-Clause
  BSD-3-Clause
  BSD-3-Clause-Open-MPI
  BSL-1.0
  MIT
  MPL-2.0
  "Apache-2.0 WITH LLVM-exception"
  PSF-2.0
  "BSD-3-Clause OR GPL-2.0-only"
  "BSD-3-Clause AND ISC"
  "BSD-3-Clause AND Apache-2.0 WITH LLVM-exception"
  "Apache-2.0 AND Apache-2.0 WITH LLVM-exception AND BSD-3-Clause"
  LicenseRef-Intel-Simplified-Software-License
)
set(
  known_pin
  license
  homepage
  submodule_path
  submodules
  patches
  candidates
  prebuilt
  vulnerabilities
)
set(
  known_candidate
  version
  license
  commit
  filename
  sha256
  size
  strip
  subdir
  into
  license_file
  complete
  last_resort
  lowest_cuda_arch
  url
  git
  distribution
  distribution-binary
  python-index
  note
)

function(check_members what json)
  z_tsb_json_members(members "${json}")
  foreach(member IN LISTS members)
    if(NOT member IN_LIST ARGN)
      message(FATAL_ERROR "${what}: unknown member '${member}'")
    endif()
  endforeach()
endfunction()

function(check_license what json default)
  z_tsb_json_get_or(license "${json}" "${default}" license)
  if(NOT license IN_LIST licenses)
    message(FATAL_ERROR "${what}: the licence '${license}' is not among those that were looked at")
  endif()
endfunction()

function(check_candidate what json)
  check_members("${what}" "${json}" ${known_candidate})
  check_license("${what}" "${json}" MIT)
  z_tsb_json_get_or(version "${json}" "" version)
  if(NOT version MATCHES "^[0-9A-Za-z][0-9A-Za-z.+-]*$")
    message(FATAL_ERROR "${what}: version '${version}' cannot be a folder's name")
  endif()
  z_tsb_json_get_or(lowest "${json}" 5.0 lowest_cuda_arch)
  if(NOT lowest MATCHES "^[0-9]+[.][0-9]$")
    message(FATAL_ERROR "${what}: lowest_cuda_arch '${lowest}' is no architecture such as 6.0")
  endif()
  foreach(
    member
    git
    url
    distribution
    distribution-binary
    python-index
    sha256
    commit
    filename
  )
    string(JSON kind ERROR_VARIABLE error TYPE "${json}" ${member})
    set(has_${member} OFF)
    if(NOT error)
      set(has_${member} ON)
    endif()
  endforeach()
  z_tsb_json_get_or(commit "${json}" "" commit)
  if(has_commit AND NOT commit MATCHES "^[0-9a-f]+$")
    message(FATAL_ERROR "${what}: commit '${commit}'")
  endif()
  string(LENGTH "${commit}" length)
  if((has_git OR has_commit) AND NOT length EQUAL 40)
    message(FATAL_ERROR "${what}: a commit has 40 digits, not ${length}")
  endif()
  string(JSON kind ERROR_VARIABLE error TYPE "${json}" complete)
  if(NOT error AND NOT kind MATCHES "^(BOOLEAN|ARRAY)$")
    message(FATAL_ERROR "${what}: complete is true, false or a list of submodules")
  endif()
  if(kind STREQUAL "ARRAY" AND NOT has_git)
    message(FATAL_ERROR "${what}: complete lists submodules, which only git can choose")
  endif()
  if(has_url OR has_distribution OR has_distribution-binary OR has_python-index)
    z_tsb_json_get_or(sha256 "${json}" "" sha256)
    z_tsb_json_get_or(filename "${json}" "" filename)
    z_tsb_json_get_or(strip "${json}" "" strip)
    string(LENGTH "${sha256}" length)
    if(NOT length EQUAL 64 OR NOT sha256 MATCHES "^[0-9a-f]+$")
      message(FATAL_ERROR "${what}: sha256 '${sha256}'")
    endif()
    if(filename STREQUAL "" OR filename MATCHES "/")
      message(FATAL_ERROR "${what}: filename '${filename}'")
    endif()
    if(NOT strip MATCHES "^[0-9]$")
      message(FATAL_ERROR "${what}: strip '${strip}'")
    endif()
  elseif(NOT has_git)
    message(FATAL_ERROR "${what}: no provider")
  endif()
endfunction()

function(check_patches what json folder)
  string(JSON count ERROR_VARIABLE error LENGTH "${json}" patches)
  if(error OR count EQUAL 0)
    return()
  endif()
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    foreach(member file source reason)
      z_tsb_json_get_or(${member} "${json}" "" patches ${index} ${member})
      if("${${member}}" STREQUAL "")
        message(FATAL_ERROR "${what}: patch ${index} has no ${member}")
      endif()
    endforeach()
    string(JSON kind ERROR_VARIABLE error TYPE "${json}" patches ${index} upstream)
    if(error)
      message(FATAL_ERROR "${what}: patch ${file} does not say where it stands upstream (null: nowhere)")
    endif()
    tsb_expect("${what}: the patch" EXISTS "${folder}/patches/${file}")
    set_property(GLOBAL APPEND PROPERTY used_patches "${folder}/patches/${file}")
  endforeach()
endfunction()

file(GLOB files "${TSB_SOURCE_DIR}/third_party/*/sources.json")
tsb_expect("releases" CONTAINS "${files}" "pytorch-2.6.0/sources.json")
foreach(file IN LISTS files)
  file(READ "${file}" pins)
  get_filename_component(folder "${file}" DIRECTORY)
  get_filename_component(release "${folder}" NAME)
  z_tsb_json_get_or(version "${pins}" "" release)
  tsb_expect("the release of ${file}" EQUAL "pytorch-${version}" "${release}")
  z_tsb_json_members(names "${pins}" sources)
  set(paths "")
  foreach(name IN LISTS names)
    if(NOT name MATCHES "^[a-z0-9][a-z0-9.-]*$")
      message(FATAL_ERROR "${file}: the name '${name}'")
    endif()
    string(JSON pin GET "${pins}" sources ${name})
    set(what "${release}: ${name}")
    check_members("${what}" "${pin}" ${known_pin})
    check_license("${what}" "${pin}" "")
    z_tsb_json_get_or(path "${pin}" "" submodule_path)
    if(path AND path IN_LIST paths)
      message(FATAL_ERROR "${what}: ${path} is taken")
    endif()
    list(APPEND paths "${path}")
    string(JSON count LENGTH "${pin}" candidates)
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      string(JSON candidate GET "${pin}" candidates ${index})
      check_candidate("${what}, candidate ${index}" "${candidate}")
    endforeach()
    check_patches("${what}" "${pin}" "${folder}")
    string(JSON count ERROR_VARIABLE error LENGTH "${pin}" submodules)
    if(NOT error)
      math(EXPR last "${count} - 1")
      set(placed "")
      foreach(index RANGE ${last})
        z_tsb_json_get_or(member "${pin}" "" submodules ${index} name)
        z_tsb_json_get_or(path "${pin}" "" submodules ${index} path)
        z_tsb_json_get_or(own "${pins}" "" sources "${member}" submodule_path)
        tsb_expect("${what}: the place of ${member}" EQUAL "${path}" "${own}")
        # A tree takes the place of what was there, so what lies inside another comes after it.
        foreach(other IN LISTS placed)
          if(other MATCHES "^${path}/")
            message(FATAL_ERROR "${what}: ${path} comes after ${other}, which it would replace")
          endif()
        endforeach()
        list(APPEND placed "${path}")
      endforeach()
    endif()
  endforeach()
  file(GLOB patches "${folder}/patches/*")
  get_property(used GLOBAL PROPERTY used_patches)
  foreach(patch IN LISTS patches)
    if(NOT patch IN_LIST used)
      message(FATAL_ERROR "${patch} is in no pin")
    endif()
  endforeach()
endforeach()
