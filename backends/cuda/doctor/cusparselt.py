# SPDX-License-Identifier: BSD-3-Clause
"""cuSPARSELt, which PyTorch can do without: a feature is off then. Exports TSB_CUSPARSELT as cuDNN's check does; empty without
it."""

from backends.cuda.doctor.detail.nvidia_library import choose_library, pip_install


def check(doctor):
    setting = "TSB_CUSPARSELT_HOME"
    home, cuda = doctor.setting(setting), doctor.version.split(".")[0]
    library, text, others = choose_library(doctor, "cusparselt", setting, "")
    doctor.export("TSB_CUSPARSELT", library or "")
    if library:
        doctor.good(f"cuSPARSELt {text}")
    elif home:  # one that was asked for by name is not done without in silence
        doctor.problem(
            f"cuSPARSELt: {setting} is {home}: {'; '.join(others) or 'there is none'}",
            "name a folder with its include and lib, or unset it: if there is none, PyTorch is built without cuSPARSELt",
        )
    else:
        official = doctor.of_release.get("cusparselt")
        package = f"nvidia-cusparselt-cu{cuda}" + (f"=={official}" if official else "")
        found = f"; found: {'; '.join(others)}" if others else ""
        install = pip_install(package, setting)
        what = f"cuSPARSELt: none, semi-structured sparse products are off ({install}){found}"
        if doctor.setting("TSB_STRICT") == "ON" and not {"CUSPARSELT", "all"} & set(
            doctor.setting("TSB_ALLOW_MISSING").split(";")
        ):
            doctor.problem(what, "TSB_STRICT is ON: install it, or set TSB_ALLOW_MISSING=CUSPARSELT")
        else:
            doctor.good(what)
