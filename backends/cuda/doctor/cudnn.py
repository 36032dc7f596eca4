# SPDX-License-Identifier: BSD-3-Clause
"""cuDNN, of the major version that the release of PyTorch is built with upstream. Exports TSB_CUDNN: home, version, headers,
libraries (files)."""

from backends.cuda.doctor.detail.nvidia_library import choose_library, pip_install


def check(doctor):
    official, cuda = doctor.of_release.get("cudnn", ""), doctor.version.split(".")[0]
    major, home = official.split(".")[0], doctor.setting("TSB_CUDNN_HOME")
    library, text, others = choose_library(doctor, "cudnn", "TSB_CUDNN_HOME", major)
    if library:
        doctor.good(f"cuDNN {text}" + (f"; the official package has {official}" if official else ""))
        doctor.export("TSB_CUDNN", library)
        return
    found = f"and there is none in TSB_CUDNN_HOME, {home}" if home else "and there is none here"
    found = f"found: {'; '.join(others)}" if others else found
    doctor.problem(
        f"cuDNN: version {major or '9'} for CUDA {cuda} is needed, {found}",
        f"{pip_install(f'nvidia-cudnn-cu{cuda}' + (f'=={official}' if official else ''), 'TSB_CUDNN_HOME')}; "
        "or name a folder with its include and lib there",
    )
