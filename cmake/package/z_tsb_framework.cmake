# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
What the framework adds
-----------------------

What every package gets without declaring it: options, environment, compiler options. It is here and nowhere
else: the phases take it from these variables, and ``z_tsb_phase_inputs`` makes each entry an input, so a change here
builds the packages again, and ``explain`` names the entry with its old and its new value.

Values may use the placeholders of ``z_tsb_expand``; the inputs keep them, since no folder of a machine may get into
the store's keys.

``TSB_FRAMEWORK_OPTIONS``          ``<NAME>=<value>``, cache options of each package's CMake project
``TSB_FRAMEWORK_COMPILE_OPTIONS``  ``<option>=<value>``, for compilers of C, C++ and assembler with C's preprocessor
``TSB_FRAMEWORK_ENVIRONMENT``      ``<NAME>=<value>``, for each command of a package

Not here, since it must not decide anything: the compilers' paths (their name, version and content are inputs), the
compiler cache, the number of jobs, where dependencies are installed (their fingerprints are inputs), ``PATH``.
#]]
include_guard(GLOBAL)

set(
  TSB_FRAMEWORK_OPTIONS
  CMAKE_BUILD_TYPE=Release
  CMAKE_INSTALL_PREFIX=@INSTALL_DIR@
  CMAKE_INSTALL_LIBDIR=lib
  CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
  # What an earlier run installed is not a dependency of this one. PyTorch would find oneDNN's headers.
  CMAKE_FIND_NO_INSTALL_PREFIX=ON
  # An RPATH that names the build folder is overwritten later, but the size of the string table and the build ID would
  # still tell the folder's name. Packaging gives every library the RPATH that it needs.
  CMAKE_SKIP_RPATH=ON
  # The framework decides when CMake runs. Ninja would run it as soon as a file that a project's CMake has written is
  # newer than what it has generated, and undo what z_tsb_edit_ninja_file.cmake does.
  CMAKE_SUPPRESS_REGENERATION=ON
  # CMake 4 refuses projects as old as some in PyTorch's third-party tree; earlier ones do not look at it.
  CMAKE_POLICY_VERSION_MINIMUM=3.5
  # No download by FetchContent; tsb_isolate_package.cmake names the one that was wanted.
  FETCHCONTENT_FULLY_DISCONNECTED=ON
)

# So that no path of the machine gets into an artifact (__FILE__, debug information). Not in CMAKE_CXX_FLAGS, since
# PyTorch embeds those in at::show_config().
set(TSB_FRAMEWORK_COMPILE_OPTIONS -ffile-prefix-map=@PACKAGES_DIR@=/usr/src/torch-superbuild)

set(
  TSB_FRAMEWORK_ENVIRONMENT
  LANG=C.UTF-8
  # A source tree unpacked below somebody's git checkout is not part of it: oneDNN writes the commit that git reports
  # into its version.
  GIT_CEILING_DIRECTORIES=@PACKAGE_DIR@
  # The date that __DATE__ becomes, 1980-01-01: not the day of the build. The caller's own one is for the zip.
  SOURCE_DATE_EPOCH=315532800
  # Nothing after fetch downloads. Where the machine allows it, the commands have no network at all (z_tsb_run); these
  # end every attempt at once, everywhere. At @PROXY@ each request is refused: curl, CMake, pip, wget and the like go
  # there for addresses of this machine too, since no_proxy is unset. An answer, since CMake's ExternalProject tries a
  # server that does not answer again for a minute and a half. Some programs know the one spelling, some the other.
  http_proxy=http://@PROXY@
  https_proxy=http://@PROXY@
  ftp_proxy=http://@PROXY@
  all_proxy=http://@PROXY@
  HTTP_PROXY=http://@PROXY@
  HTTPS_PROXY=http://@PROXY@
  FTP_PROXY=http://@PROXY@
  ALL_PROXY=http://@PROXY@
  # ccache knows of the compiler what the store's key knows, and no setting or ccache.conf names another one.
  CCACHE_COMPILERCHECK=string:@TOOLCHAIN@
  CCACHE_COMPILER=
  CCACHE_PATH=
  CCACHE_IGNOREOPTIONS=
  # Not by a proxy of the user's git configuration either.
  GIT_ALLOW_PROTOCOL=file
  # The same for pip's; and no waiting.
  PIP_CONFIG_FILE=/dev/null
  PIP_NO_INDEX=1
  PIP_RETRIES=0
  PIP_DEFAULT_TIMEOUT=1
)
