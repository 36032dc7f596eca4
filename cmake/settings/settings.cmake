# SPDX-License-Identifier: BSD-3-Clause
# Every setting but those of a backend, which are in backends/<kind>/settings.cmake.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_declare_setting.cmake)

# What is built.
tsb_declare_setting(TSB_PRESET TYPE STRING FROM PRESET HELP "The name of the preset")
tsb_declare_setting(TSB_BACKEND TYPE STRING FROM PRESET HELP "The backend, such as cpu")
tsb_declare_setting(TSB_ARTIFACTS TYPE LIST FROM PRESET HELP "The artifacts to make, or all")
tsb_declare_setting(TSB_TESTS_ONLY TYPE BOOL FROM PRESET DEFAULT OFF HELP "Only the project's own tests")
tsb_declare_setting(
  TSB_PACKAGES TYPE LIST DEFAULT_TEXT "the artifacts of the preset" SEE adding-a-package.md HELP
  "Build only these packages and what they depend on, such as sleef"
)
tsb_declare_setting(
  TSB_PYTORCH_VERSION TYPE STRING MATCHES "^[0-9][0-9A-Za-z.]*$" "a version of digits, letters and dots, a digit first"
  DEFAULT_TEXT "the newest with the preset's backend" SEE official.md HELP
  "The release of PyTorch, if it is made for the preset's backend"
)
string(
  CONCAT z_tsb_date "^20([0-9][0-9]((0[13578]|1[02])(0[1-9]|[12][0-9]|3[01])|(0[469]|11)(0[1-9]|[12][0-9]|30)"
         "|02(0[1-9]|1[0-9]|2[0-8]))|([02468][048]|[13579][26])0229)$" # 4 divides leap years
)
tsb_declare_setting(
  TSB_NIGHTLY TYPE STRING PACKED MATCHES "${z_tsb_date}" "a date, such as 20261123" SEE versions.md HELP
  "The date of a nightly, for a version such as 9.9.0.dev20261123+cpu"
)
tsb_declare_setting(
  TSB_CANDIDATE TYPE NUMBER PACKED SEE versions.md HELP
  "The number of a release candidate, for a version such as 9.9.0rc1+cpu"
)
tsb_declare_setting(
  TSB_VERSION_SUFFIX
  TYPE
  STRING
  PACKED
  MATCHES
  "^([a-z0-9]*[a-z][a-z0-9]*|0|[1-9][0-9]*)([.]([a-z0-9]*[a-z][a-z0-9]*|0|[1-9][0-9]*))*$"
  "lowercase letters, digits and dots, no number with a 0 before it, such as mycompany.1 or g0882121"
  SEE
  versions.md
  HELP
  "A suffix for your own variants, as in 9.9.0+cpu.mycompany.1"
)
tsb_declare_setting(
  TSB_BUILD_NUMBER TYPE STRING PACKED MATCHES "^([2-9]|[1-9][0-9])$" "a number from 2 to 99" DEFAULT_TEXT
  "none: the first build" SEE versions.md HELP "The number of a further build of the same version, for pip and conda"
)
tsb_declare_setting(
  TSB_PYTORCH_OPTIONS TYPE OPTIONS MATCHES "^[A-Za-z_][A-Za-z0-9_]*(:[A-Z]+)?=."
  "an option with its value, such as USE_KINETO=OFF" COMPILED SEE "variants.md#options" HELP
  "Options of PyTorch's own build"
)
tsb_declare_setting(
  TSB_BLAS TYPE STRING COMPILED DEFAULT_TEXT "the preset's" SEE "sources.md#blas" HELP
  "The library for BLAS and LAPACK: mkl or openblas, if the processor has it"
)
tsb_declare_setting(
  TSB_PYTHONS TYPE LIST PACKED MATCHES "^(3\\.[0-9]+|none)$" "a version of Python, such as 3.12, or none" DEFAULT_TEXT
  "all that are found" SEE wheels.md HELP
  "The Pythons for which an all preset makes wheels and conda packages, or none"
)
tsb_declare_setting(
  TSB_DEBUG_INFO TYPE STRING COMPILED VALUES lines full none DEFAULT lines SEE debugging.md HELP
  "The debug information that is compiled in and put into the debug zip"
)
tsb_declare_setting(
  TSB_SONAME_VERSION TYPE BOOL PACKED DEFAULT_TEXT "OFF, as in the official packages" HELP
  "Give the shared libraries of a libtorch zip a version in their SONAME, such as libtorch_cpu.so.2.6"
)
tsb_declare_setting(
  TSB_UNITY TYPE BOOL COMPILED DEFAULT_TEXT ON HELP
  "Compile PyTorch's sources in groups, which is faster (a change compiles all of it again)"
)
tsb_declare_setting(
  TSB_UNITY_TRIAL TYPE BOOL COMPILED DEFAULT OFF SEE "new-release.md" HELP
  "Group also sources that are not those of the release whose groups were proven"
)

# Where things are.
tsb_declare_setting(
  TSB_SOURCES TYPE PATH WRITTEN DEFAULT "$XDG_CACHE_HOME/torch-superbuild/sources" DEFAULT_TEXT
  "torch-superbuild/sources in XDG_CACHE_HOME, else in ~/.cache" SEE sources.md HELP
  "The source cache, which is also a mirror"
)
tsb_declare_setting(
  TSB_STORE TYPE PATH WRITTEN DEFAULT "$XDG_CACHE_HOME/torch-superbuild/store" DEFAULT_TEXT
  "torch-superbuild/store in XDG_CACHE_HOME, else in ~/.cache" SEE store.md HELP
  "The store, which keeps built packages"
)
tsb_declare_setting(
  TSB_STORE_REMOTE TYPE PLACE WRITTEN SECRET SEE store.md HELP
  "A store that many machines share: a folder, http(s)://host/path or s3://bucket/prefix"
)
tsb_declare_setting(
  TSB_DIST TYPE PATH WRITTEN DEFAULT dist HELP
  "The folder for what has passed its checks, which replaces only a file of the same name"
)
tsb_declare_setting(
  TSB_ADDITIONS TYPE PATH HOLDS releases/* backends/* targets/* superbuild/* SEE "../releases/README.md#additions" HELP
  "A folder with further releases, backends, targets and packages, searched first"
)
tsb_declare_setting(
  TSB_PATCHES TYPE PATH COMPILED HOLDS */*.patch SEE "variants.md#patches" HELP
  "A folder with your patches, by source, such as pytorch/0001-fix.patch"
)
tsb_declare_setting(
  TSB_PINS_FILE TYPE FILEPATH EXISTS DEFAULT_TEXT "those of the release and its additions" SEE ../releases/README.md
  HELP "The file with the pins of all sources"
)
tsb_declare_setting(
  TSB_SUPERBUILD_DIR TYPE PATH COMPILED HOLDS *.cmake DEFAULT superbuild SEE adding-a-package.md HELP
  "The folder of the package declarations"
)
tsb_declare_setting(
  TSB_CONSUMER_DIR TYPE PATH HOLDS CMakeLists.txt DEFAULT packaging/consumer HELP
  "The project that is built against the packed zip to check it"
)

# Sources and the network.
tsb_declare_setting(
  TSB_LOCAL_pytorch TYPE PATH COMPILED HOLDS CMakeLists.txt SEE "sources.md#your-own-source-tree" HELP
  "Your folder with PyTorch's source instead of the pinned release"
)
tsb_declare_setting(
  TSB_LOCAL_<source> TYPE PATH HOLDS * SEE "sources.md#your-own-source-tree" HELP
  "Your folder instead of a pinned source, with _ for each - of its name"
)
tsb_declare_setting(
  TSB_SOURCE_MIRROR TYPE PLACES SECRET SEE "sources.md#a-machine-without-a-network" HELP
  "Mirrors of the sources: folders and addresses"
)
tsb_declare_setting(
  TSB_PROVIDERS TYPE LIST VALUES local mirror upstream git distribution python-index distribution-binary DEFAULT
  "local,mirror,upstream,git,distribution,python-index,distribution-binary" DEFAULT_TEXT "all" SEE
  "sources.md#where-a-source-comes-from" HELP "Which providers are asked for a source, in which order"
)
tsb_declare_setting(
  TSB_STRICT TYPE BOOL DEFAULT_TEXT "OFF, but ON in fleets, their jobs and publishing" SEE
  "sources.md#features-that-are-off" HELP "A feature whose source is not available is an error"
)
tsb_declare_setting(
  TSB_ALLOW_MISSING TYPE LIST SEE "sources.md#features-that-are-off" HELP
  "Features that TSB_STRICT lets be off, such as FBGEMM, or all"
)
tsb_declare_setting(
  TSB_OFFLINE TYPE BOOL DEFAULT_TEXT OFF SEE "sources.md#a-machine-without-a-network" HELP
  "Do not use the network: sources come from folders"
)
tsb_declare_setting(
  TSB_NETWORK_NAMESPACE TYPE BOOL DEFAULT_TEXT "ON, but for a compiler cache that needs the network" SEE
  "sources.md#nothing-after-fetch-downloads" HELP
  "Run the packages' commands without a network (OFF leaves only a proxy that refuses downloads)"
)
tsb_declare_setting(
  TSB_CONDA_CHANNEL TYPE STRING SECRET DEFAULT_TEXT conda-forge SEE conda.md HELP
  "The channel for dependencies in the checks of conda packages"
)

tsb_declare_setting(
  CMAKE_TLS_CAINFO TYPE FILEPATH EXISTS DEFAULT_TEXT "that of SSL_CERT_FILE, else the machine's" SEE
  "sources.md#behind-a-proxy" HELP "The file with the CAs to trust"
)

# Tools and the machine.
tsb_declare_setting(
  TSB_JOBS TYPE NUMBER DEFAULT_TEXT "from the cores and the free memory" HELP "The most compilers that run at once"
)
tsb_declare_setting(
  TSB_FARM
  TYPE
  STRING
  SECRET
  MATCHES
  "^sccache([+]https)?://([^@/\"\\ ]+@)?[^@/, ]+$|^distcc://[^@/, ]+(/[0-9]+)?(,[^@/, ]+(/[0-9]+)?)*$"
  "sccache://host:port, sccache+https://host or distcc://host/jobs,host/jobs"
  SEE
  farm.md
  HELP
  "A compile farm of sccache or distcc, such as sccache://token@host:10600"
)
tsb_declare_setting(
  TSB_DOCTOR_SKIP TYPE LIST SEE "settings.md#checks-of-the-doctor" HELP "Checks of the doctor to skip"
)
tsb_declare_setting(
  TSB_PYTHON TYPE PROGRAM DEFAULT_TEXT "the first that is new enough" HELP
  "The Python that runs PyTorch's code generators"
)
tsb_declare_setting(
  TSB_PYTHON_<digits> TYPE PROGRAM DEFAULT_TEXT "searched for" SEE wheels.md HELP
  "The Python for the wheel of this version, such as TSB_PYTHON_311"
)
tsb_declare_setting(
  TSB_TORCHPKG TYPE FILEPATH EXISTS DEFAULT_TEXT "compiled" HELP "A torchpkg that is compiled already"
)

# Read when something runs.
tsb_declare_setting(
  TSB_SIGN TYPE STRING SECRET FROM ENVIRONMENT SEE "provenance.md#signing" HELP
  "A command that signs the provenance statements"
)
tsb_declare_setting(
  TSB_PROGRESS_SECONDS TYPE NUMBER FROM ENVIRONMENT DEFAULT_TEXT 60 HELP "How often a log gets a line of progress"
)
tsb_declare_setting(
  TSB_SHOW_CHECKS TYPE BOOL FROM ENVIRONMENT DEFAULT_TEXT OFF HELP
  "Print each row of the checks in the last lines of a run, not only when one fails"
)
tsb_declare_setting(
  TSB_CLANG_TIDY TYPE BOOL FROM ENVIRONMENT DEFAULT_TEXT OFF HELP
  "Let the test style.clang-tidy look at all sources, not only at changed ones, which takes many minutes"
)
tsb_declare_setting(
  TSB_VALIDATE TYPE PATH EXISTS FROM ENVIRONMENT DEFAULT_TEXT "a fixture" SEE "licences.md#documents" HELP
  "A tree for the test sbom.validators to look at"
)
