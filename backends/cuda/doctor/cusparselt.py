# SPDX-License-Identifier: BSD-3-Clause
"""cuSPARSELt; see detail/optional_library.py."""

from backends.cuda.doctor.detail.optional_library import check_optional


def check(doctor):
    check_optional(doctor, "cuSPARSELt", "semi-structured sparse products are off")
