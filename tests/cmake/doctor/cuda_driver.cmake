# SPDX-License-Identifier: BSD-3-Clause
# The driver against the toolkit: none, as new, older but of the same major version, too old.
include(${CMAKE_CURRENT_LIST_DIR}/cuda_machine.cmake)

# driver(<version>): as the kernel's two modules say it.
function(driver version)
  file(
    WRITE ${root}/proc/driver/nvidia/version
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  ${version}  Tue Mar  5 22:23:56 UTC 2024\n"
  )
endfunction()
cuda_doctor(cuda_driver)
passes("-- CUDA driver: none here, which is fine for building; what needs a GPU is not tested")
driver(550.54.15)
cuda_doctor(cuda_driver)
passes("-- CUDA driver: 550.54.15")
driver(535.183.01)
cuda_doctor(cuda_driver)
passes("535.183.01 is older than CUDA 12.4 (550.54.14); runs its programs, compiles none of its PTX")
driver(470.256.02)
cuda_doctor(cuda_driver)
fails(
  1
  "CUDA driver: 470.256.02 is too old for CUDA 12.4 (525.60.13 is needed): nothing built would run here"
  "-> install driver 550.54.14 or newer, or take a preset of a CUDA that is not newer than the driver (11.8 at most)"
  "-> cuda-compat helps on data-centre GPUs only, others fail with error 804: forward compatibility was attempted"
  "-> to build for other machines anyway: TSB_DOCTOR_SKIP=cuda_driver"
)
cuda_doctor(cuda_driver PYTORCH ${pytorch} CUDA 11.8)
passes("470.256.02 is older than CUDA 11.8 (520.61.05)")
file(
  WRITE ${root}/proc/driver/nvidia/version
  "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  (root@host)  Sun Jul 27 2025\n"
)
cuda_doctor(cuda_driver)
passes("-- CUDA driver: 580.65.06")

# In a container the kernel's file may be missing.
file(REMOVE ${root}/proc/driver/nvidia/version)
tool(nvidia-smi "echo 450.51.06; echo 450.51.06")
cuda_doctor(cuda_driver)
fails(1 "CUDA driver: 450.51.06 is too old for CUDA 12.4")
tool(nvidia-smi "echo 'NVIDIA-SMI has failed'; exit 9")
cuda_doctor(cuda_driver)
passes("-- CUDA driver: none here")
