# SPDX-License-Identifier: BSD-3-Clause
# The presets that the guides name are there, whatever becomes of the generator; each says its release; the list
# stays short.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)
list_presets(--workflow --list-presets)
string(REGEX MATCHALL "\"[^\"\n]+\" +- [^\n]+" lines "${output}")
set(names "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^\"([^\"]+)\".*" "\\1" name "${line}")
  list(APPEND names ${name})
  if(
    NOT name MATCHES "^tests(-fast|-sanitized)?$"
    AND NOT line MATCHES " - PyTorch [0-9.]+, (CPU|CUDA [0-9.]+|ROCm [0-9.]+ [(]preview[)]): "
  )
    message(FATAL_ERROR "the preset does not say what it is for: ${line}")
  endif()
endforeach()
list(LENGTH names count)
if(count GREATER 100)
  message(FATAL_ERROR "${count} presets are more than one can read")
endif()

set(zips libtorch-shared libtorch-shared-without-deps libtorch-static libtorch-static-without-deps)
set(
  promised tests tests-fast tests-sanitized cpu-libtorch-shared-openblas rocm6.2-libtorch-shared rocm6.2-wheel-py311
           rocm6.2-all rocm7.2-libtorch-shared
)
foreach(backend IN ITEMS cpu cu118 cu124 cu126)
  set(products ${zips} all)
  foreach(python IN ITEMS 39 310 311 312 313)
    list(APPEND products wheel-py${python} conda-py${python})
    if(NOT backend STREQUAL "cpu")
      list(APPEND products wheel-py${python}-large)
    endif()
  endforeach()
  list(TRANSFORM products PREPEND ${backend}- OUTPUT_VARIABLE some)
  list(APPEND promised ${some})
endforeach()
foreach(name IN LISTS promised)
  if(NOT name IN_LIST names)
    message(FATAL_ERROR "there is no preset ${name}: ${names}")
  endif()
endforeach()

# What is not made of a backend has none.
foreach(name IN LISTS names)
  if(name MATCHES "^rocm" AND NOT name MATCHES "-(libtorch-shared|wheel-py[0-9]+|all)$")
    message(FATAL_ERROR "there is a preset ${name}, and no such artifact is made")
  endif()
endforeach()

# All steps have presets of the same name.
foreach(kind IN ITEMS build test package)
  list_presets(--list-presets=${kind})
  foreach(name IN LISTS promised)
    if(NOT name MATCHES "^tests" AND NOT output MATCHES "\"${name}\"")
      message(FATAL_ERROR "there is no ${kind} preset ${name}")
    endif()
  endforeach()
endforeach()
file(READ "${project}/presets/cu124.json" json)
string(JSON steps GET "${json}" workflowPresets 0 steps)
set(kinds "")
foreach(step RANGE 4)
  string(JSON kind GET "${steps}" ${step} type)
  string(JSON name GET "${steps}" ${step} name)
  list(APPEND kinds ${kind} ${name})
endforeach()
set(name cu124-libtorch-shared)
tsb_expect(
  "the steps" EQUAL "${kinds}" "configure;${name};build;${name};test;${name};package;${name};build;${name}-check"
)

expect_settings(cpu-libtorch-shared cpu ${pytorch} "" libtorch-shared-with-deps)
expect_settings(cpu-libtorch-shared-openblas cpu ${pytorch} openblas libtorch-shared-with-deps)
expect_settings(cpu-all cpu ${pytorch} "" all)
expect_settings(cu124-wheel-py39-large cu124 ${pytorch} "" wheel-py39-large)
expect_settings(rocm6.2-libtorch-shared rocm6.2 ${pytorch} "" libtorch-shared-with-deps)
expect_settings(rocm7.2-libtorch-shared rocm7.2 ${pytorch} "" libtorch-shared-with-deps)
expect_settings(cu118-conda-py313 cu118 ${pytorch} "" conda-py313)

# Packages alone are built on request; without the request the preset makes its artifact again.
foreach(wanted IN ITEMS sleef "")
  set(request "")
  if(wanted)
    set(request -DTSB_PACKAGES=${wanted})
  endif()
  list_presets(--preset cpu-libtorch-shared ${request})
  tsb_expect("packages" CONTAINS "${output}" "packages: [${wanted}]")
endforeach()
