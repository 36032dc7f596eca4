# SPDX-License-Identifier: BSD-3-Clause
"""NVSHMEM, for a release whose official packages have it; see detail/optional_library.py."""

from backends.cuda.doctor.detail.optional_library import check_optional


def check(doctor):
    if "nvshmem" in doctor.of_release:
        check_optional(doctor, "NVSHMEM", "symmetric memory over several machines is off")
    else:
        doctor.export("TSB_NVSHMEM", "")
