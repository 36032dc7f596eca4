# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_without_password(<out-var> <text>): the text as it may be shown, by the rule of without_password in
# cmake/sources/text.py: a user name and a password in an address end at the last "@", whatever they have in them. So a
# text with several addresses may lose its middle, rather than that a password is shown.
function(z_tsb_without_password out text)
  string(REGEX REPLACE "://.*@" "://" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
