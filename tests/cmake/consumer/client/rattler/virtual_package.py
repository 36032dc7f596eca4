# SPDX-License-Identifier: BSD-3-Clause
class VirtualPackageOverrides:
    @classmethod
    def from_env(cls):
        return cls()
