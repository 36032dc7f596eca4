# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/backend/tsb_ask_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../tools/z_tsb_run_python.cmake)

# z_tsb_forgotten_requirements(<out-var> <site-packages> <Python>): what modules import and setup.py does not require.
#
# torchrun needs importlib_metadata before Python 3.10, and does not start in the official wheel without it:
# https://github.com/pytorch/pytorch/issues/163946
function(z_tsb_forgotten_requirements out site_packages python)
  set(${out} "" PARENT_SCOPE)
  set(registry "${site_packages}/torch/distributed/elastic/rendezvous/registry.py")
  if(python VERSION_LESS 3.10 AND EXISTS "${registry}")
    file(STRINGS "${registry}" import REGEX "from importlib_metadata import entry_points")
    if(import)
      # The first with entry_points(group=...).
      set(${out} "importlib-metadata>=3.6" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# z_tsb_wheel_metadata(<out-var> <site-packages>): completes torch-*.dist-info, which PyTorch's setup.py wrote, and
# returns the folder.
#
# licenses/ has the licence texts of everything that is inside, each named by a License-File line (PEP 639: that is
# metadata 2.4), and sboms/ the bills of materials (PEP 770). Both lie below torch/ before. What the modules need and
# setup.py does not require is added. Without deps the wheels that have libraries, which an official METADATA requires,
# are not required: other packages have them. Nothing else of METADATA is changed.
# https://peps.python.org/pep-0639/ https://peps.python.org/pep-0770/
function(z_tsb_wheel_metadata out site_packages)
  file(GLOB dist_info "${site_packages}/torch-*.dist-info")
  list(LENGTH dist_info count)
  if(NOT count EQUAL 1)
    tsb_fail("there is not one torch-*.dist-info in ${site_packages}" "see the log of the Python layer's stage phase")
  endif()
  file(RENAME "${site_packages}/torch/share/licenses" "${dist_info}/licenses")
  foreach(file IN ITEMS LICENSE NOTICE)
    if(EXISTS "${dist_info}/${file}")
      file(RENAME "${dist_info}/${file}" "${dist_info}/licenses/${file}")
    endif()
  endforeach()
  file(MAKE_DIRECTORY "${dist_info}/sboms")
  foreach(kind IN ITEMS spdx cdx)
    file(RENAME "${site_packages}/torch/sbom.${kind}.json" "${dist_info}/sboms/torch.${kind}.json")
  endforeach()

  file(READ "${dist_info}/METADATA" text)
  # The headers end with the first empty line; the description follows.
  string(FIND "${text}" "\n\n" end)
  if(NOT text MATCHES "^Metadata-Version: [0-9.]+\n" OR end EQUAL -1)
    tsb_fail("${dist_info}/METADATA is not as setuptools writes it" "see packaging/wheel/metadata.cmake")
  endif()
  string(SUBSTRING "${text}" 0 ${end} headers)
  string(SUBSTRING "${text}" ${end} -1 description)
  string(REGEX REPLACE "^Metadata-Version: [0-9.]+\n" "Metadata-Version: 2.4\n" headers "${headers}")
  string(REGEX REPLACE "\nLicense-File: [^\n]*" "" headers "${headers}")
  if(artifact_deps STREQUAL "without-deps" AND artifact_backend_consumer_library_wheels)
    list(JOIN artifact_backend_consumer_library_wheels "|" of_libraries)
    string(REGEX REPLACE "\nRequires-Dist: (${of_libraries})[^\n]*" "" headers "${headers}")
  endif()
  z_tsb_forgotten_requirements(requirements "${site_packages}" "${artifact_python}")
  foreach(requirement IN LISTS requirements)
    string(APPEND headers "\nRequires-Dist: ${requirement}")
  endforeach()
  tsb_ask_backend(requirements artifact_backend wheel)
  foreach(requirement IN LISTS requirements)
    set(condition "platform_system == \"Linux\" and platform_machine == \"${artifact_target_wheel_machine}\"")
    string(APPEND headers "\nRequires-Dist: ${requirement}; ${condition}")
  endforeach()
  file(GLOB_RECURSE files RELATIVE "${dist_info}/licenses" "${dist_info}/licenses/*")
  list(SORT files)
  foreach(file IN LISTS files)
    string(APPEND headers "\nLicense-File: ${file}")
  endforeach()
  file(WRITE "${dist_info}/METADATA" "${headers}${description}")
  set(${out} "${dist_info}" PARENT_SCOPE)
endfunction()

# z_tsb_check_metadata(<dist-info>): fails when pip or a package index would refuse its METADATA.
function(z_tsb_check_metadata dist_info)
  z_tsb_run_python(output "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_metadata.py" "${dist_info}")
  if(NOT result EQUAL 0)
    tsb_fail(
      "the wheel's METADATA is not valid; the fields are named above"
      "correct what setup.py, or packaging/wheel/metadata.cmake, writes into them"
    )
  endif()
endfunction()
