# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_install_pinned(<place> <step> <python> <file>): pip installs the wheels that the file names with their hashes,
# and nothing else. Sets `status` and `seconds`. An index with other files of these names ends the check: what it has is
# not what everybody has.
macro(z_tsb_install_pinned place step python file)
  run(
    ${place} ${step}
    IN "${TSB_WORK}"
    ENVIRONMENT ${environment}
    COMMAND "${python}" -m pip install --timeout 10 --retries 1 --require-hashes --only-binary :all: --no-deps
            --requirement "${file}"
  )
  file(STRINGS "${log}" z_tsb_others REGEX "DO NOT MATCH THE HASHES")
  if(z_tsb_others)
    failed(
      ${place} ${step} "pip was given other files than those with the pinned hashes"
      "find out why pip's index or folder has them; let pip use one with the published files (PIP_INDEX_URL)"
    )
  endif()
endmacro()
