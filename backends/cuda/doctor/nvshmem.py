# SPDX-License-Identifier: BSD-3-Clause
"""NVSHMEM; see detail/optional_library.py."""

from backends.cuda.doctor.detail.optional_library import check_optional


def check(doctor):
    check_optional(doctor, "NVSHMEM", "symmetric memory over several machines is off")
