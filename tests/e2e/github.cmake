# SPDX-License-Identifier: BSD-3-Clause
# The main job as a user with a network runs it: the stand-in PyTorch from a local GitHub over https, by the providers
# `upstream` and `git` alone, into an empty source cache; then they are unpacked without a network. From the release
# tarball with all submodules, from a clone with all submodules, and from a tree that is completed from pins comes the
# same tree.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
include("${TSB_SOURCE_DIR}/tests/fixtures/github/github.cmake")
set(hub "${WORK}/github")
set(tree "${WORK}/from github")
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

# unpack(<way> <pins> [<NAME=value>...]): configures and fetches with the network, unpacks without it; PyTorch's tree
# becomes the folder <way>. Sets `fetched` to what fetch has printed.
use_no_network(no_network)
function(unpack way pins)
  set(
    environment "TSB_PINS_FILE=${hub}/${pins}/sources.json" "TSB_SOURCES=${hub}/sources of ${way}" TSB_SOURCE_MIRROR=
                ${ARGN}
  )
  foreach(command IN ITEMS "--preset;${preset}" "--build;--preset;${preset};--target;fetch")
    run_in(
      "${tree}"
      WITH ${providers}
      ENVIRONMENT ${environment} ${trust}
      COMMAND "${CMAKE_COMMAND}" ${command}
    )
    good("${command}, ${way}")
  endforeach()
  set(fetched "${output}" PARENT_SCOPE)
  tsb_expect("features, ${way}" LACKS "${output}" "is off: no provider has")
  run_in(
    "${tree}"
    WITH ${providers} ${no_network}
    ENVIRONMENT ${environment}
    COMMAND "${CMAKE_COMMAND}" --build --preset ${preset} --target patch
  )
  good("patch, ${way}")
  file(RENAME "${tree}/build/${preset}/packages/pytorch/source" "${hub}/${way}")
endfunction()

# same_tree(<way>): as from the tarball.
function(same_tree way)
  execute_process(
    COMMAND diff -r --no-dereference --exclude=.git "${hub}/tarball" "${hub}/${way}" RESULT_VARIABLE differs
    OUTPUT_VARIABLE text
  )
  if(NOT differs EQUAL 0)
    message(FATAL_ERROR "from the ${way} comes something else than from the tarball:\n${text}")
  endif()
endfunction()

unpack(tarball released)
tsb_expect(
  "the tarball" CONTAINS "${fetched}" "pytorch ${pytorch} from upstream (https://github.com/stand-in/pytorch/releases/"
)
unpack(clone released "TSB_LOCAL_pytorch=${clone}")
tsb_expect("the clone" CONTAINS "${fetched}" "pytorch is the folder ${clone}")
same_tree(clone)
unpack(pins completed)
tsb_expect("the pins" CONTAINS "${fetched}" "pytorch ${pytorch} from git (https://github.com/stand-in/pytorch.git)")
same_tree(pins)
github_stop()
if(NOT no_network)
  message("SKIP: unshare -n is not permitted here, so all of it was done with a network at hand")
endif()
