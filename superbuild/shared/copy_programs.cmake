# SPDX-License-Identifier: BSD-3-Clause
# Stage script of packages of which only programs are wanted, made in bin/ of the build folder.
cmake_minimum_required(VERSION 3.25)
file(COPY "${TSB_BUILD_DIR}/bin" DESTINATION "${TSB_INSTALL_DIR}")
