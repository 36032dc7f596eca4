# SPDX-License-Identifier: BSD-3-Clause
class GatewayError(Exception):
    pass


class SolverError(Exception):
    pass
