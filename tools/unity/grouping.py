# SPDX-License-Identifier: BSD-3-Clause
"""The rule that makes groups out of PyTorch's sources.

Two sources may share a unit only if they are compiled with the same flags, stand in the same
folder class and begin with the same TORCH_ASSERT_* macro. Sources that hold code for a feature
which the proof could not compile are never grouped.
"""

import re

# Longest prefix wins; a source outside of these folders stays alone.
FOLDERS = [
    "torch/csrc/jit",
    "torch/csrc/distributed",
    "torch/csrc/api",
    "torch/csrc/lazy",
    "torch/csrc/autograd",
    "torch/csrc/profiler",
    "torch/csrc/inductor",
    "torch/csrc",
    "aten/src/ATen/core",
    "aten/src/ATen/functorch",
    "aten/src/ATen/native/quantized",
    "aten/src/ATen/native",
    "aten/src/ATen",
    "c10",
    "third_party/ideep/mkl-dnn/src/common",
    "third_party/ideep/mkl-dnn/src/cpu",
    "third_party/ideep/mkl-dnn/src/cpu/x64",
    "third_party/ideep/mkl-dnn/src/graph",
    "third_party/onnx/onnx",
    "third_party/tensorpipe/tensorpipe",
    "third_party/kineto/libkineto/src",
    "third_party/gloo/gloo",
]
GENERATED = "/generated/"  # not there yet when CMake reads the groups

# Code behind these was not compiled when the groups were proven.
UNPROVEN = re.compile(
    r"^[ \t]*#[ \t]*(?:el)?if.*\b(USE_FBGEMM|USE_ROCM|USE_CUDA|USE_C10D_NCCL|USE_C10D_UCC|USE_C10D_MPI|USE_MPS|"
    r"USE_XPU|USE_VULKAN_API|USE_VULKAN|USE_RUY_QMATMUL|USE_NUMA|USE_ITT|TORCH_ENABLE_LLVM|AT_NNPACK_ENABLED|"
    r"AT_MKLDNN_ACL_ENABLED|USE_COREML_DELEGATE)\b",
    re.M,
)
ASSERTION = re.compile(r"^#define (TORCH_ASSERT_\w+)[ \t]*$", re.M)
# Set by PyTorch on ATen's core sources; it only makes a wrong #include an error.
ASSERTION_FLAG = "-DTORCH_ASSERT_ONLY_METHOD_OPERATORS"

MOST_MEMBERS = 16
# Estimates from what each source took alone; on 138 units of PyTorch the memory estimate was at most 15 % too low.
UNIT_MEMORY = 2000.0  # MiB; with that error, below 2.5 GB
SHARED_MEMORY = 500.0  # MiB that any compile of these needs for the headers all have in common
MEMBER_MEMORY = 65.0  # MiB that even a small source adds
UNIT_SECONDS = 110.0  # of its members alone, about 40 in the unit: no longer than the longest generated source


def usual_flags(commands):
    """The flags that most sources of the target have."""
    count = {}
    for command in commands:
        key = tuple(command.flags)
        count[key] = count.get(key, 0) + 1
    return max(count, key=count.get, default=())


def group_key(command, source_dir, flags):
    """(key, '') of a source that may be grouped, else (None, why not)."""
    if not command.file.startswith(source_dir + "/") or not command.is_cxx():
        return None, "generated, or not C++"
    path = command.file[len(source_dir) + 1 :]
    if GENERATED in path:
        return None, "generated: bound by optimisation, not by parsing"
    folders = [f for f in FOLDERS if path.startswith(f + "/")]
    if not folders:
        return None, "folder not on the list"
    if tuple(f for f in command.flags if f != ASSERTION_FLAG) != flags:
        return None, "compiled with flags of its own"
    with open(command.file, errors="replace") as stream:
        text = stream.read()
    found = UNPROVEN.search(text)
    if found:
        return None, f"has code for {found.group(1)}, which was off when the groups were proven"
    assertion = ASSERTION.search(text)
    return (max(folders, key=len), assertion.group(1) if assertion else ""), ""


def split(members, cost, peak):
    """Consecutive groups of members, bounded by count, estimated memory and time."""
    groups, group, memory, seconds = [], [], SHARED_MEMORY, 0.0
    for member in members:
        more, time = max(peak[member] - SHARED_MEMORY, MEMBER_MEMORY), cost[member]
        if group and (len(group) == MOST_MEMBERS or memory + more > UNIT_MEMORY or seconds + time > UNIT_SECONDS):
            groups.append(group)
            group, memory, seconds = [], SHARED_MEMORY, 0.0
        group.append(member)
        memory += more
        seconds += time
    if group:
        groups.append(group)
    return groups
