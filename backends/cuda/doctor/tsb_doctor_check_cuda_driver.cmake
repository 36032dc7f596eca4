# SPDX-License-Identifier: BSD-3-Clause
# The driver of this machine against the toolkit. Building needs none. One that is older than the toolkit's runs what is
# built as long as it is not older than CUDA's minor-version compatibility allows
# (https://docs.nvidia.com/deploy/cuda-compatibility); below that nothing would run here, the tests included.

# z_tsb_driver_version(<result> <root>): the driver that the kernel has loaded, else what nvidia-smi says, or nothing.
function(z_tsb_driver_version result root)
  set(version "")
  if(EXISTS "${root}/proc/driver/nvidia/version")
    file(READ "${root}/proc/driver/nvidia/version" text)
    if(text MATCHES "NVRM version:[^\n]* ([0-9]+\\.[0-9.]+) ")
      set(version "${CMAKE_MATCH_1}")
    endif()
  endif()
  find_program(smi nvidia-smi NO_CACHE)
  if(version STREQUAL "" AND smi)
    execute_process(
      COMMAND "${smi}" --query-gpu=driver_version --format=csv,noheader
      OUTPUT_VARIABLE output
      ERROR_QUIET
      TIMEOUT 60
    )
    if(output MATCHES "^([0-9]+\\.[0-9.]+)")
      set(version "${CMAKE_MATCH_1}")
    endif()
  endif()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

function(tsb_doctor_check_cuda_driver)
  set(cuda "${backend_version}")
  z_tsb_driver_version(version "${doctor_ROOT}")
  set(of_toolkit ${versions_cuda_${cuda}_driver})
  set(lowest ${versions_cuda_${cuda}_lowest_driver})
  if(version STREQUAL "")
    z_tsb_doctor_good("CUDA driver: none here, which is fine for building; what needs a GPU is not tested")
  elseif(version VERSION_GREATER_EQUAL of_toolkit)
    z_tsb_doctor_good("CUDA driver: ${version}")
  elseif(version VERSION_GREATER_EQUAL lowest)
    z_tsb_doctor_good(
      "CUDA driver: ${version} is older than CUDA ${cuda} (${of_toolkit}); runs its programs, compiles none of its PTX"
    )
  else()
    # What the driver can run: the newest backend whose lowest driver it has.
    set(candidates ${versions_cuda})
    list(SORT candidates COMPARE NATURAL)
    set(other "")
    foreach(candidate IN LISTS candidates)
      if(version VERSION_GREATER_EQUAL versions_cuda_${candidate}_lowest_driver)
        set(other " (${candidate} at most)")
      endif()
    endforeach()
    z_tsb_doctor_problem(
      "CUDA driver: ${version} is too old for CUDA ${cuda} (${lowest} is needed): nothing built would run here"
      "install driver ${of_toolkit} or newer, or take a preset of a CUDA that is not newer than the driver${other}"
      "cuda-compat helps on data-centre GPUs only, others fail with error 804: forward compatibility was attempted"
      "to build for other machines anyway: TSB_DOCTOR_SKIP=cuda_driver"
    )
  endif()
endfunction()
