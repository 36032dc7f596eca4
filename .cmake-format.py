# SPDX-License-Identifier: BSD-3-Clause
# CMake's formatter: `cmake-format -i <files>` in the project's root. It fills lines, so that a call can be found with grep.

with section("format"):
    line_width = 120
    tab_size = 2
    max_pargs_hwrap = 99
    max_subgroups_hwrap = 3
    max_rows_cmdline = 99
    min_prefix_chars = 0
    max_prefix_chars = 1
    dangle_parens = True

with section("markup"):
    enable_markup = False

with section("parse"):
    # Keywords of the project's functions that are called with several of them, each on a line of its own.
    def _command(flags="", values="", lists="", commands=""):
        kwargs = {name: 1 for name in values.split()}
        kwargs.update({name: "+" for name in lists.split()})
        kwargs.update({name: {"kwargs": {}, "pargs": {"nargs": "+", "tags": ["cmdline"]}} for name in commands.split()})
        return {"pargs": {"nargs": "*", "flags": flags.split()}, "kwargs": kwargs}

    additional_commands = {
        "add_e2e_test": _command("", "AFTER TIMEOUT"),
        "changed": _command("", "SAYS", "EXPLAINED RAN COMPILED"),
        "run": _command("", "IN", "ENVIRONMENT", "COMMAND"),
        "run_in": _command("", "", "ENVIRONMENT WITH", "COMMAND"),
        "tsb_add_script_test": _command("", "SCRIPT TIMEOUT", "SHOULD_FAIL ARGUMENTS ENVIRONMENT LABELS"),
        "tsb_add_script_tests": _command("", "TIMEOUT"),
        "tsb_declare_feature": _command("", "OPTION OFF WITHOUT", "SOURCES PACKAGES"),
        "tsb_declare_package": _command(
            "NO_INSTALL BUILD_ONLY",
            "DESCRIPTION SOURCE BUILD_SYSTEM PYTHON STEP_COSTS MACHINE HEAVY_MEMORY_PER_JOB_MB MEMORY_PER_JOB_MB"
            " LINK_MEMORY_MB",
            "SOURCES HEAVY_SOURCES DEPENDS PROVIDES SYSTEM MODULES OPTIONS ENVIRONMENT INCLUDE INPUTS TARGETS"
            " PATCH_SCRIPTS STAGE_SCRIPTS LICENSE_FILES",
        ),
        "tsb_doctor": _command(
            "SOURCE_DIR BUILD_DIR MEMORY_MB RESULT_ERROR ROOT PYTORCH_VERSION CUDA_VERSION",
            "CHECKS EXTRA_CHECKS WITHOUT WRITABLE DISK PYTHONS",
        ),
        "tsb_job_pools": _command(
            "", "MEMORY_PER_JOB_MB FARM RESULT_JOBS LINK_MEMORY_MB RESULT_LINK_JOBS RESERVE_MB ROOT"
        ),
        "tsb_expect": {"pargs": {"nargs": "*", "tags": ["cmdline"]}},
        "tsb_run": {"pargs": {"nargs": "*", "tags": ["cmdline"]}},
        "z_tsb_conda_metadata": {"pargs": {"nargs": "*", "tags": ["cmdline"]}},
        "tsb_call_python": {"pargs": {"nargs": "*", "tags": ["cmdline"]}},
        "z_tsb_run": _command("RETRY_ALONE", "LOG STEP_COSTS", "", "COMMAND"),
    }
