# SPDX-License-Identifier: BSD-3-Clause
# A find module of the package's own, as PyTorch has one for ITT.
set(own_FOUND 1)
set(own_SAYS module)
