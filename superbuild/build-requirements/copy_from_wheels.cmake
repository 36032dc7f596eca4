# SPDX-License-Identifier: BSD-3-Clause
# site-packages/: what is imported, without compiled modules, which fit one Python only.
cmake_minimum_required(VERSION 3.25)
set(site_packages "${TSB_INSTALL_DIR}/site-packages")
file(COPY "${TSB_SOURCE_DIR}/pyyaml/yaml" DESTINATION "${site_packages}" PATTERN "*.so" EXCLUDE)
file(COPY "${TSB_SOURCE_DIR}/typing-extensions/typing_extensions.py" DESTINATION "${site_packages}")
file(COPY "${TSB_SOURCE_DIR}/packaging/packaging" DESTINATION "${site_packages}")
foreach(module IN ITEMS setuptools pkg_resources _distutils_hack)
  file(COPY "${TSB_SOURCE_DIR}/${module}" DESTINATION "${site_packages}")
endforeach()
# Its commands (build, dist_info, ...) are entry points.
file(GLOB metadata "${TSB_SOURCE_DIR}/setuptools-*.dist-info")
file(COPY ${metadata} DESTINATION "${site_packages}")
