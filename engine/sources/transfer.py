# SPDX-License-Identifier: BSD-3-Clause
"""What transfers over a network have in common, whether Python, git or pip makes them: whom to trust, what went wrong in the
words of this project with a remedy where the user has one, and whether the same may work a little later."""

import contextlib
import os
import re
import subprocess
import urllib.parse
import urllib.request


def ca_file():
    """The file with the CAs to trust, such as that of a company's proxy; empty: the machine's."""
    return next(filter(None, map(os.environ.get, ("SSL_CERT_FILE", "CURL_CA_BUNDLE", "CMAKE_TLS_CAINFO"))), "")


def trust():
    """Makes git and pip trust `ca_file()` when they have no setting of their own. Without this git does not know it where
    its libcurl uses GnuTLS (Debian)."""
    if not ca_file():
        return
    os.environ.setdefault("REQUESTS_CA_BUNDLE", ca_file())  # counts less than the settings of pip itself
    if not os.environ.get("GIT_SSL_CAINFO"):
        # This variable overrides git's configuration.
        command = ["git", "config", "--get-regexp", r"^http\.(.*\.)?sslcainfo$"]
        with contextlib.suppress(OSError):
            if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
                os.environ["GIT_SSL_CAINFO"] = ca_file()


def host_of(url):
    return urllib.parse.urlsplit(url).hostname or ""


def proxy_of(url):
    """The proxy that leads to an address, as host:port, or None."""
    scheme, host = urllib.parse.urlsplit(url).scheme, host_of(url)
    proxies = urllib.request.getproxies()
    proxy = proxies.get(scheme) or proxies.get("all") or ""
    if not proxy or urllib.request.proxy_bypass(host):
        return None
    return re.sub(r"^[^/]*://", "", proxy.rpartition("@")[2]).partition("/")[0]


def proxy_variable(url):
    """Which variable says what proxy leads to an address."""
    scheme = url.partition("://")[0] if "://" in url else "https"
    names = f"{scheme}_proxy", f"{scheme.upper()}_PROXY", "all_proxy", "ALL_PROXY"
    return next(filter(os.environ.get, names), names[0])


NO_CA_FILE = "the file with trusted CAs cannot be read: correct SSL_CERT_FILE (or the variable that you use instead)"


def proxy_refuses(url, status):
    if status == "407":
        wanted = "http://user:password@host:port"
        return f"the proxy asks for a password (HTTP 407): set {proxy_variable(url)} to {wanted}"
    return f"the proxy refuses {host_of(url)} (HTTP {status})"


def cannot(do, url, proxy):
    """`do`: resolve, or connect to. `proxy`: host:port, empty for an unknown one, None when there is none."""
    if proxy is None:
        return f"cannot {do} {host_of(url)}"
    return f"cannot {do} the proxy {proxy}".rstrip() + f": correct {proxy_variable(url)}, or unset it"


def distrust(host, words):
    if re.search(
        "no alternative certificate|does not match target host|doesn't match|Hostname mismatch|IP address mismatch",
        words,
    ):
        return f"the certificate that {host} shows is another host's: correct the address, or ask who runs the server or proxy"
    return f"the certificate of {host} is not trusted: set SSL_CERT_FILE to a file with your network's CA"


def refused(status):
    """Words for a server's answer."""
    if status in (401, 403):
        return f"access denied (HTTP {status})"
    if status == 429:
        return "too many requests (HTTP 429), try again later"
    if status < 400:
        return f"it redirects in a circle, or to what is not http or https (HTTP {status})"
    if status >= 500:
        return f"the server has a fault (HTTP {status}), try again later"
    return f"not there (HTTP {status})"


def proxy_fault(url, text):
    """What git or pip says about the proxy; both repeat libcurl's or Python's words, which differ a little from version to
    version (tried: libcurl 7.86, 7.88, 8.14 and 8.20, with OpenSSL and GnuTLS)."""
    match = re.search(r"ould(?:n't| not) resolve proxy(?:: ([^\n ]*))?", text)
    if match:
        return cannot("resolve", url, match[1] or "")
    match = re.search(r"(?:CONNECT tunnel failed, response|Received HTTP code|Tunnel connection failed:) (\d+)", text)
    if match:
        return proxy_refuses(url, match[1])
    if re.search(r"(Cannot|Unable to) connect to proxy", text):
        return cannot("connect to", url, "")
    match = re.search(r"Failed to connect to ([^ \n]+) port (\d+)(?: via ([^ \n]+))?", text)
    if match and (match[3] or match[1] != host_of(url)):
        return cannot("connect to", url, match[3] or f"{match[1]}:{match[2]}")
    return ""


def fault_in_words(url, text):
    """What went wrong, from what git or pip printed; empty when it is not known."""
    host = host_of(url)
    proxy = proxy_fault(url, text)
    if proxy:
        return proxy
    if re.search("error (setting certificate|reading ca cert)|Problem with the SSL CA cert|suitable TLS CA", text):
        return NO_CA_FILE
    if re.search(
        "ertificate (problem|verif)|peer certificate|verification failed|CERTIFICATE_VERIFY_FAILED|no alternative certificate"
        "|does not match target host|doesn't match",
        text,
    ):
        return distrust(host, text)
    match = re.search(r"ould(?:n't| not) resolve host(?:: ([^\n ;]+))?", text)
    if match:
        return cannot("resolve", f"//{match[1] or host}", None)
    if "Failed to connect to" in text:
        return cannot("connect to", url, None)
    if re.search("timed out|too slow", text):
        return f"no answer from {host} in time"
    match = re.search(r"returned error: (\d+)", text)
    if match:
        return refused(int(match[1]))
    if re.search("could not read Username|Authentication failed|epository .*not found", text):
        return "no such repository, or it is private"  # what GitHub answers for both
    return ""


def is_unreachable(text):
    """Whether what git says means that no other request to this host will do better."""
    return bool(re.search("resolve|Failed to connect|ertificate|(CA|ca) cert|proxy|CONNECT tunnel|timed out", text))


def may_work_later(text):
    """Whether the same request of git may well succeed a little later: the server is busy, or the connection was lost."""
    lost = "transfer closed|early EOF|hung up|unexpected disconnect|RPC failed|Connection reset|ecv (failure|error)"
    later = f"returned error: (429|50[0234])|{lost}|unexpected eof|Empty reply|CONNECT aborted|too slow|timed out"
    return bool(re.search(later, text)) and not proxy_fault("", text)
