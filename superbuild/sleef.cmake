# SPDX-License-Identifier: BSD-3-Clause
# SLEEF: vectorised elementary functions, used by PyTorch's vectorised kernels.
set(
  sleef_options
  BUILD_SHARED_LIBS=OFF
  CMAKE_POSITION_INDEPENDENT_CODE=ON
  SLEEF_BUILD_SHARED_LIBS=OFF # the option's name since 3.6
  SLEEF_BUILD_TESTS=OFF
  SLEEF_BUILD_DFT=OFF
  SLEEF_BUILD_GNUABI_LIBS=OFF
  SLEEF_BUILD_SCALAR_LIB=OFF
  SLEEF_DISABLE_SSL=ON # used by its tests only
  # 3.9 clones tlfloat while it builds, unless this is off: https://github.com/shibatch/sleef
  SLEEF_ENABLE_TLFLOAT=OFF
  # It looks for these with find_library(), for its tests and DFT, whatever is switched on.
  LIB_MPFR=
  LIBGMP=
  LIBFFTW3=
  LIBFFTW3F=
  LIBFFTW3_OMP=
  LIBFFTW3F_OMP=
)
set(sleef_tools "")
set(sleef_generators "")
if(target_cross)
  set(sleef_tools sleef-tools)
  set(sleef_generators NATIVE_BUILD_DIR=@PREFIX_sleef-tools@)
  tsb_declare_package(
    sleef-tools
    DESCRIPTION "Programs that generate SLEEF's sources, for this machine"
    SOURCE sleef
    BUILD_ONLY
    SYSTEM Threads
    OPTIONS ${sleef_options}
    TARGETS mkalias mkdisp mkrename
    NO_INSTALL
    STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/shared/copy_programs.cmake"
    LICENSE_FILES LICENSE.txt
    MEMORY_PER_JOB_MB 400
  )
endif()
tsb_declare_package(
  sleef
  DESCRIPTION "Vectorised elementary functions"
  SOURCE sleef
  PROVIDES sleef
  DEPENDS ${sleef_tools}
  SYSTEM Threads
  OPTIONS ${sleef_options} ${sleef_generators}
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/../packaging/sbom/record_linked.cmake"
  LICENSE_FILES LICENSE.txt
  MEMORY_PER_JOB_MB 400
)
