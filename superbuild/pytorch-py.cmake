# SPDX-License-Identifier: BSD-3-Clause
# The Python layers of PyTorch, one package for each Python: libtorch_python, torch/_C, functorch/_C, and the Python
# files. They are made against the libtorch of package pytorch: nothing of libtorch_cpu is compiled again.
include(${CMAKE_CURRENT_LIST_DIR}/pytorch/build_settings.cmake)

# Lists of their own, so that a change to them does not build libtorch again.
tsb_release_files(unity_lists pytorch-py/unity_*.txt)
tsb_release_files(step_costs pytorch-py/step_costs.txt)

# Nothing here has an RPATH yet, so the linker gets the folder of libtorch, which libtorch_python needs, and the one
# where the backend's libraries are, which libtorch needs.
set(rpath_link @PREFIX_pytorch@/lib)
foreach(package IN LISTS more_depends)
  string(APPEND rpath_link ":@PREFIX_${package}@/lib")
endforeach()

foreach(version IN LISTS release_pythons)
  string(REPLACE "." "" tag "${version}")
  tsb_declare_package(
    pytorch-py${tag}
    DESCRIPTION "Python ${version} layer of PyTorch"
    PYTHON ${version}
    SOURCE pytorch
    PATCH_SCRIPTS ${more_patch_scripts} "${CMAKE_CURRENT_LIST_DIR}/pytorch-py/keep_pythonpath.cmake"
    DEPENDS pytorch numpy ${pytorch_depends}
    SYSTEM ${pytorch_system}
    MODULES ${pytorch_modules}
    OPTIONS ${release_options_pytorch-py} ${pytorch_options}
            "CMAKE_EXE_LINKER_FLAGS=\"-Wl,-rpath-link,${rpath_link}\"" # the shell's quotes, for a path with a blank
    ENVIRONMENT LIBTORCH_LIB_PATH=@PREFIX_pytorch@/lib "PYTORCH_BUILD_VERSION=${TSB_SOURCE_VERSION}+${TSB_BACKEND}"
                ${pytorch_environment}
    INCLUDE ${pytorch_include}
    INPUTS ${pytorch_inputs} ${unity_lists}
    TARGETS ${release_python_targets}
    NO_INSTALL # of the whole tree, which is not built here
    STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/pytorch-py/stage_python_layer.cmake"
                  "${CMAKE_CURRENT_LIST_DIR}/../packaging/sbom/record_linked.cmake"
    STEP_COSTS "${step_costs}"
    LICENSE_FILES LICENSE NOTICE third_party/LICENSES_BUNDLED.txt
    MEMORY_PER_JOB_MB 1800
    LINK_MEMORY_MB 2000
  )
  tsb_declare_release_features(pytorch-py${tag} pytorch-py)
endforeach()
