# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_install_pinned(<place> <step> <python> <file>): pip installs the wheels that the file names with their hashes,
# and nothing else: from the folder TSB_WHEELS, where the step fetch puts them, or else from pip's index. Sets `status`
# and `seconds`. An index with other files of these names ends the check: what it has is not what everybody has.
macro(z_tsb_install_pinned place step python file)
  set(z_tsb_pip "${python}" -m pip install --require-hashes --only-binary :all: --no-deps --requirement "${file}")
  foreach(z_tsb_place IN ITEMS "--no-index;--find-links;${TSB_WHEELS}" "--timeout;10;--retries;1")
    run(
      ${place} ${step}
      IN "${TSB_WORK}"
      ENVIRONMENT ${environment}
      COMMAND ${z_tsb_pip} ${z_tsb_place}
    )
    if(status EQUAL 0)
      break()
    endif()
  endforeach()
  file(STRINGS "${log}" z_tsb_others REGEX "DO NOT MATCH THE HASHES")
  if(z_tsb_others)
    failed(
      ${place} ${step} "pip was given other files than those with the pinned hashes"
      "find out why pip's index or folder has them; let pip use one with the published files (PIP_INDEX_URL)"
    )
  endif()
endmacro()
