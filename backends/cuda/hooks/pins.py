# SPDX-License-Identifier: BSD-3-Clause
"""Takes the candidates that cannot be compiled for one of the CUDA architectures (`9.0`, `9.0a`, `8.6+PTX`) out of the pins:
those with a higher `lowest_cuda_arch`. So neither a provider nor the cache is asked for one."""

from engine.folders import natural


def select_pins(pins, backend):
    """Why not is in the source's member `refused`, a line for each candidate."""
    archs = backend.get("configured", {}).get("archs", [])
    for pin in pins["sources"].values():
        kept = []
        for candidate in pin["candidates"]:
            lowest = natural(candidate.get("lowest_cuda_arch", "0.0"))
            bad = [arch for arch in archs if natural(arch) < lowest]
            good = [arch for arch in archs if arch not in bad]
            if not bad:
                kept.append(candidate)
                continue
            reason = f"skipped {candidate['version']}: it does not support architecture {', '.join(bad)}"
            if good:
                reason += f' (it is used with TSB_CUDA_ARCHS="{" ".join(good)}")'
            pin.setdefault("refused", []).append(reason)
        pin["candidates"] = kept
