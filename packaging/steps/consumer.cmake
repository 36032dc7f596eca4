# SPDX-License-Identifier: BSD-3-Clause
# Step consumer: uses the packed file as its user would (consumer_check/). What has passed with TSB_OFFLINE, which
# leaves out what needs a network, is checked again without it.
include("${CMAKE_CURRENT_LIST_DIR}/../z_tsb_backend_folders.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_python_command.cmake")

# Sets, for another processor than this machine's, `triplet` and `emulator`: the one that the doctor has found, or the
# package that the backend names; and `pinned`, what the check of a wheel installs, of the artifact's release.
macro(z_tsb_consumer_tools)
  set(pinned "")
  if(product STREQUAL "wheel")
    tsb_find_data(pinned "releases/${artifact_release_folder}/wheel_check")
  endif()
  set(triplet "")
  set(emulator "")
  if(artifact_target_cross)
    set(triplet "${artifact_target_triplet}")
    set(emulator "${settings_emulator}")
    if(NOT emulator)
      set(emulator "${artifact_backend_consumer_emulator}")
      file(GLOB emulator "${TSB_BUILD_FOLDER}/packages/${emulator}/install/bin/*")
    endif()
  endif()
endmacro()

macro(z_tsb_inputs_of_artifact_consumer)
  z_tsb_inputs_of_packed_files()
  z_tsb_step_files(inputs consumer "${consumer}" "${consumer}")
  z_tsb_step_scripts(
    inputs steps/consumer.cmake run_consumer.py consumer_results.py consumer_check ../engine/__main__.py
    ../engine/failure.py ../engine/folders.py ../engine/text.py ../engine/sources/run_pip.py ../engine/model/cells.py
    ../engine/model/data.py ../engine/model/inherit.py ../engine/model/read.py ../backends/cpu/wheel_check.txt
  )
  z_tsb_step_backend(inputs consumer backend.json wheel_check.txt)
  z_tsb_consumer_tools()
  z_tsb_step_value(inputs "compiler" "${artifact_compiler}")
  z_tsb_step_value(inputs "emulator" "${emulator}")
  if(product STREQUAL "conda")
    z_tsb_step_scripts(inputs conda/index_channel.py libraries/requirements.txt)
    string(SHA256 channel "${TSB_CONDA_CHANNEL}") # it may hold a password
    z_tsb_step_value(inputs "TSB_CONDA_CHANNEL" "${channel}")
  endif()
  z_tsb_step_files(inputs pinned "${pinned}" ${pinned})
  if(product STREQUAL "wheel") # of the wheels with libraries
    z_tsb_step_file(inputs "sources.json" "${TSB_BUILD_FOLDER}/pins/sources.json")
  endif()
  set(complete "${inputs}")
  z_tsb_step_value(complete "TSB_OFFLINE" OFF)
  z_tsb_step_due(why "${name}" consumer "${complete}")
  if(TSB_OFFLINE AND why)
    z_tsb_step_value(inputs "TSB_OFFLINE" ON)
  else()
    set(inputs "${complete}")
  endif()
endmacro()

function(z_tsb_run_consumer)
  z_tsb_packed_files(file debug)
  z_tsb_consumer_tools()
  tsb_read_record("${TSB_BUILD_FOLDER}/packages/${package}/package.json" main)
  # What a user of a package without deps has installed lies in no folder of the loader's here.
  set(host_libraries "")
  if(product STREQUAL "libtorch" AND artifact_deps STREQUAL "without-deps")
    z_tsb_backend_folders(host_libraries)
    list(FILTER host_libraries EXCLUDE REGEX "/packages/${package}/") # PyTorch's own come from the package
    list(JOIN host_libraries ":" host_libraries)
  endif()
  tsb_read_record("${TSB_BUILD_FOLDER}/fetch/request.json" request)
  file(REMOVE_RECURSE "${work}/consumer") # a kill may have left anything
  tsb_python_command(run_consumer "${settings_python}" "${Z_TSB_PACKAGING}/run_consumer.py")
  execute_process(
    COMMAND
      ${run_consumer} --quiet "${work}/consumer" "${CMAKE_COMMAND}" "-DTSB_PACKAGE=${file}"
      "-DTSB_DEBUG_PACKAGE=${debug}" "-DCMAKE_MAKE_PROGRAM=${ninja}" "-DTSB_COMPILER=${artifact_compiler}"
      "-DTSB_TRIPLET=${triplet}" "-DTSB_EMULATOR=${emulator}" "-DTSB_CONSUMER=${consumer}"
      "-DTSB_PYTHON=${main_python_executable}"
      "-DTSB_MODULES=${TSB_BUILD_FOLDER}/packages/build-requirements/install/site-packages"
      "-DTSB_CACHE=${TSB_BUILD_FOLDER}/check/cache" "-DTSB_HOST_LIBRARIES=${host_libraries}"
      "-DTSB_DRIVER=${artifact_backend_conda_driver}" "-DTSB_PINNED=${pinned}"
      "-DTSB_TOOLS=${TSB_BUILD_FOLDER}/python-tools" "-DTSB_TOOLS_PYTHON=${request_python}"
      "-DTSB_CHANNELS=${dist}/*/*.conda;${TSB_BUILD_FOLDER}/packed/*/*/*.conda" "-DTSB_WHEELS=${request_cache}/wheels"
      "-DTSB_OFFICIAL=${TSB_BUILD_FOLDER}/packages/${package}/install/RECORD" "-DTSB_JOBS=${TSB_JOBS}"
    RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    tsb_fail("a consumer of ${file} does not work" "see the message above; ${dist} is as it was")
  endif()
endfunction()
