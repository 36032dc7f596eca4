# SPDX-License-Identifier: BSD-3-Clause
# A certificate that is trusted and another host's: no file with CAs helps. In the words of libcurl with OpenSSL, of git's
# with GnuTLS, and of Python.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/cmake/sources/detail/z_tsb_transfer.cmake")
foreach(
  words IN
  ITEMS
    "SSL: no alternative certificate subject name matches target host name 'mirror.test'"
    "SSL: certificate subject name (other.test) does not match target host name 'mirror.test'"
    "certificate verify failed: Hostname mismatch, certificate is not valid for 'mirror.test'."
)
  z_tsb_transfer_error(reason "https://mirror.test/file" "${words}")
  tsb_expect("${words}" CONTAINS "${reason}" "the certificate that mirror.test shows is another host's")
endforeach()
