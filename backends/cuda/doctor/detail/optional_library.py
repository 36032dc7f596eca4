# SPDX-License-Identifier: BSD-3-Clause
"""A library that PyTorch can do without: a feature, which has its name, is off then. Exports TSB_<FEATURE> as cuDNN's check
does; empty without it, and where the feature is off anyway."""

from backends.cuda.doctor.detail.nvidia_library import choose_library, pip_install


def check_optional(doctor, title, lost):
    """`title` is cuSPARSELt, and `lost` what PyTorch lacks without it."""
    name, feature = title.lower(), title.upper()
    setting, cuda = f"TSB_{feature}_HOME", doctor.version.split(".")[0]
    home = doctor.setting(setting)
    if feature not in doctor.features:
        if home:
            doctor.good(f"{title}: the feature {feature} is off, and {setting} has no effect")
        doctor.export(f"TSB_{feature}", "")
        return
    library, text, others = choose_library(doctor, name, setting, "")
    doctor.export(f"TSB_{feature}", library or "")
    if library:
        doctor.good(f"{title} {text}")
    elif home:  # one that was asked for by name is not done without in silence
        doctor.problem(
            f"{title}: {setting} is {home}: {'; '.join(others) or 'there is none'}",
            f"name a folder with its include and lib, or unset it: if there is none, PyTorch is built without {title}",
        )
    else:
        official = doctor.of_release.get(name)
        package = f"nvidia-{name}-cu{cuda}" + (f"=={official}" if official else "")
        found = f"; found: {'; '.join(others)}" if others else ""
        what = f"{title}: none, {lost} ({pip_install(package, setting)}){found}"
        if doctor.setting("TSB_STRICT") == "ON" and not {feature, "all"} & set(
            doctor.setting("TSB_ALLOW_MISSING").split(";")
        ):
            doctor.problem(what, f"TSB_STRICT is ON: install it, or set TSB_ALLOW_MISSING={feature}")
        else:
            doctor.good(what)
