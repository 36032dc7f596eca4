# SPDX-License-Identifier: BSD-3-Clause
"""The headers that groups are proven with."""

import os
import subprocess

# Where the headers of each project are, and after a "-" which do not count: what the build writes into the source tree, and
# what a patch changes and no source of a group reads.
PROJECTS = {
    ".": [
        "aten/src",
        "c10",
        "caffe2",
        "torch/csrc",
        "-aten/src/ATen/Config.h",
        "-aten/src/ATen/cuda/CUDAConfig.h",
        "-torch/csrc/api/include/torch/version.h",
        "-torch/csrc/autograd/generated",
        "-torch/csrc/lazy/generated",
        "-torch/csrc/jit/serialization/mobile_bytecode_generated.h",
    ],
    "third_party/gloo": ["third_party/gloo/gloo"],
    "third_party/ideep/mkl-dnn": ["third_party/ideep/mkl-dnn/include", "third_party/ideep/mkl-dnn/src"],
    "third_party/kineto": ["third_party/kineto/libkineto/include", "third_party/kineto/libkineto/src"],
    "third_party/onnx": ["third_party/onnx/onnx"],
    "third_party/tensorpipe": ["third_party/tensorpipe/tensorpipe"],
}
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../superbuild/pytorch/z_tsb_unity_headers.cmake")


def digest(source, folders):
    command = ["cmake", "-D", f"SOURCE={source}", "-D", f"FOLDERS={';'.join(folders)}", "-P", SCRIPT]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
