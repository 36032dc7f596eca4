# SPDX-License-Identifier: BSD-3-Clause
# The main job as a user with a network runs it: the stand-in PyTorch from a local GitHub over https, by the providers
# `upstream` and `git` alone, into an empty source cache; then everything without a network. From the release tarball
# with all submodules, from a clone with all submodules, and from a tree that is completed from pins: the same files
# come out.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
include("${TSB_SOURCE_DIR}/tests/fixtures/github/github.cmake")
set(hub "${WORK}/github")
set(tree "${WORK}/from github")
set(artifact libtorch-shared-with-deps)
file(REMOVE_RECURSE "${hub}" "${WORK}/store of from github")
copy_tree("${tree}")
github_start("${hub}")

# unpacked(<out> <archive> <name>): what is in an archive with one folder around it.
function(unpacked out archive name)
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${hub}/unpacked/${name}")
  file(GLOB folder "${hub}/unpacked/${name}/*")
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# The pins of the stand-in: archives become files of releases, and PyTorch's submodules repositories.
file(READ "${WORK}/stand-in/pins/sources.json" pins)
file(WRITE "${hub}/nested/nested.txt" "a submodule of a submodule\n")
github_commit(nested stand-in/nested "${hub}/nested")
set(links "")
set(members "[]")
string(JSON count LENGTH "${pins}" sources pytorch submodules)
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
  string(JSON member GET "${pins}" sources pytorch submodules ${index})
  string(JSON name GET "${member}" name)
  string(JSON path GET "${member}" path)
  string(JSON candidate GET "${pins}" sources ${name} candidates 0)
  string(JSON version GET "${candidate}" version)
  string(JSON filename GET "${candidate}" filename)
  set(archive "${WORK}/stand-in/mirror/${name}/${version}/${filename}")
  if(NOT EXISTS "${archive}")
    continue() # what nobody has
  endif()
  unpacked(folder "${archive}" ${name})
  github_commit(commit stand-in/${name} "${folder}" "third_party/nested|../nested|${nested}")
  list(APPEND links "${path}|../${name}.git|${commit}")
  string(JSON members SET "${members}" ${index} "${member}")
  foreach(member IN ITEMS filename sha256 size strip)
    string(JSON candidate REMOVE "${candidate}" ${member})
  endforeach()
  string(JSON candidate SET "${candidate}" commit "\"${commit}\"")
  string(JSON candidate SET "${candidate}" git "\"https://github.com/stand-in/${name}.git\"")
  string(JSON candidate SET "${candidate}" complete true)
  string(JSON pins SET "${pins}" sources ${name} candidates "[${candidate}]")
endforeach()
string(JSON pins SET "${pins}" sources pytorch submodules "${members}")
string(JSON archive GET "${pins}" sources pytorch candidates 0 filename)
unpacked(folder "${WORK}/stand-in/mirror/pytorch/${pytorch}/${archive}" pytorch)
github_commit(commit stand-in/pytorch "${folder}" ${links})
string(JSON count LENGTH "${pins}" sources)
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
  string(JSON name MEMBER "${pins}" sources ${index})
  string(JSON version GET "${pins}" sources ${name} candidates 0 version)
  string(JSON filename ERROR_VARIABLE none GET "${pins}" sources ${name} candidates 0 filename)
  if(none STREQUAL "NOTFOUND" AND EXISTS "${WORK}/stand-in/mirror/${name}/${version}/${filename}")
    set(asset "stand-in/${name}/v${version}/${filename}")
    file(MAKE_DIRECTORY "${hub}/releases/stand-in/${name}/v${version}")
    file(COPY_FILE "${WORK}/stand-in/mirror/${name}/${version}/${filename}" "${hub}/releases/${asset}")
    set(url "https://github.com/stand-in/${name}/releases/download/v${version}/${filename}")
    string(JSON pins SET "${pins}" sources ${name} candidates 0 url "[\"${url}\"]")
  endif()
endforeach()

# The clone, and the tarball made of one, as PyTorch's releases are.
set(trust "https_proxy=${github_proxy}" "SSL_CERT_FILE=${github_ca}")
set(ENV{GIT_SSL_CAINFO} "${github_ca}")
set(clone "${hub}/clone")
github_run("${hub}" git clone --quiet https://github.com/stand-in/pytorch.git clone)
github_run("${clone}" git -c advice.detachedHead=false checkout --quiet ${commit})
github_run("${clone}" git submodule --quiet update --init --recursive)
unset(ENV{GIT_SSL_CAINFO})
file(COPY "${clone}/" DESTINATION "${hub}/complete" PATTERN .git EXCLUDE)
set(tarball "${hub}/releases/stand-in/pytorch/v${pytorch}/pytorch-v${pytorch}.tar.gz")
github_tar("${tarball}" "${hub}/complete" pytorch-v${pytorch})
file(SHA256 "${tarball}" sha256)
set(git "https://github.com/stand-in/pytorch.git")
set(completed "{\"version\": \"${pytorch}\", \"commit\": \"${commit}\", \"git\": \"${git}\", \"complete\": false}")
set(
  released
  "{\"version\": \"${pytorch}\", \"commit\": \"${commit}\", \"git\": \"${git}\", \"complete\": true, \"strip\": 1,
  \"filename\": \"pytorch-v${pytorch}.tar.gz\", \"sha256\": \"${sha256}\",
  \"url\": [\"https://github.com/stand-in/pytorch/releases/download/v${pytorch}/pytorch-v${pytorch}.tar.gz\"]}"
)
foreach(kind IN ITEMS completed released)
  string(JSON pins SET "${pins}" sources pytorch candidates "[${${kind}}]")
  file(COPY "${WORK}/stand-in/pins/" DESTINATION "${hub}/${kind}")
  file(WRITE "${hub}/${kind}/sources.json" "${pins}")
endforeach()

# A list, which would not survive those of CMake.
file(WRITE "${hub}/providers.sh" "TSB_PROVIDERS='upstream;git' exec \"$@\"\n")
set(providers sh "${hub}/providers.sh")

# build(<way> <pins> [<NAME=value>...]): configures and fetches with the network, does the rest without, and leaves the
# zip in the folder <way>.
set(no_network "")
foreach(options IN ITEMS "-n" "-r;-n")
  execute_process(COMMAND unshare ${options} true RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
  if(refused EQUAL 0)
    set(no_network unshare ${options})
    break()
  endif()
endforeach()
function(build way pins)
  set(
    environment "TSB_PINS_FILE=${hub}/${pins}/sources.json" "TSB_SOURCES=${hub}/sources of ${way}" TSB_SOURCE_MIRROR=
                ${ARGN}
  )
  run_in(
    "${tree}"
    WITH ${providers}
    ENVIRONMENT ${environment} ${trust}
    COMMAND "${CMAKE_COMMAND}" --preset ${preset}
  )
  good("configure, ${way}")
  run_in(
    "${tree}"
    WITH ${providers}
    ENVIRONMENT ${environment} ${trust}
    COMMAND "${CMAKE_COMMAND}" --build --preset ${preset} --target fetch
  )
  good("fetch, ${way}")
  set(fetched "${output}")
  workflow("${tree}" WITH ${providers} ${no_network} ENVIRONMENT ${environment})
  good("the workflow, ${way}")
  tsb_expect("it was built, ${way}" CONTAINS "${output}" "-- pytorch build")
  file(REMOVE_RECURSE "${hub}/${way}")
  file(ARCHIVE_EXTRACT INPUT "${tree}/dist/${zip_name}" DESTINATION "${hub}/${way}")
  file(READ "${hub}/${way}/libtorch/manifest.json" manifest)
  string(JSON count LENGTH "${manifest}" features)
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON feature MEMBER "${manifest}" features ${index})
    string(JSON enabled GET "${manifest}" features ${feature} enabled)
    if(NOT feature MATCHES "^(MPI|NUMA)$") # off in every build for the CPU
      tsb_expect("feature ${feature}, ${way}" EQUAL "${enabled}" ON)
    endif()
  endforeach()
  set(fetched "${fetched}" PARENT_SCOPE)
endfunction()

# same_files(<way>): as from the tarball, except for what says where the sources came from.
function(same_files way)
  set(sums "")
  foreach(one IN ITEMS tarball ${way})
    file(GLOB_RECURSE files RELATIVE "${hub}/${one}/libtorch" "${hub}/${one}/libtorch/*")
    list(SORT files)
    set(text "")
    foreach(file IN LISTS files)
      if(NOT file MATCHES "^(manifest\\.json|sbom\\..*)$")
        file(SHA256 "${hub}/${one}/libtorch/${file}" sum)
        string(APPEND text "${sum}  ${file}\n")
      endif()
    endforeach()
    file(WRITE "${hub}/sums of ${one}" "${text}")
  endforeach()
  execute_process(
    COMMAND diff "${hub}/sums of tarball" "${hub}/sums of ${way}" RESULT_VARIABLE differs OUTPUT_VARIABLE text
  )
  if(NOT differs EQUAL 0)
    message(FATAL_ERROR "from the ${way} comes something else than from the tarball:\n${text}")
  endif()
  foreach(one IN ITEMS tarball ${way})
    file(READ "${hub}/${one}/libtorch/manifest.json" manifest)
    string(JSON features_of_${one} GET "${manifest}" features)
  endforeach()
  tsb_expect("features, from the ${way}" EQUAL "${features_of_${way}}" "${features_of_tarball}")
endfunction()

build(tarball released)
tsb_expect(
  "the tarball" CONTAINS "${fetched}" "pytorch ${pytorch} from upstream (https://github.com/stand-in/pytorch/releases/"
)
build(clone released "TSB_LOCAL_pytorch=${clone}")
tsb_expect("the clone" CONTAINS "${fetched}" "pytorch is the folder ${clone}")
same_files(clone)
build(pins completed)
tsb_expect("the pins" CONTAINS "${fetched}" "pytorch ${pytorch} from git (https://github.com/stand-in/pytorch.git)")
same_files(pins)
github_stop()
if(NOT no_network)
  message("SKIP: unshare -n is not permitted here, so all of it was done with a network at hand")
endif()
