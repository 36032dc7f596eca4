# SPDX-License-Identifier: BSD-3-Clause
"""Downloads an address to a file, going on where an earlier download ended. The content is not verified here."""

import base64
import contextlib
import http.client
import netrc
import os
import re
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request

from engine.sources import transfer
from engine.text import say

# Seconds without a byte after which a connection counts as lost, also while it is made: of several addresses of a host
# the first may lead nowhere. A connection that brings fewer than SLOWEST bytes a second for so long is given up.
# PAUSES: before the second and the third attempt.
SILENCE, SLOWEST, PAUSES, LONGEST_PAUSE = 30, 1000, (1, 3), 60
# Bytes of a download that is worth a line for each tenth.
LARGE = 10_000_000
# Where distributions keep their CAs, for a Python that was made elsewhere and looks for them in another place.
CA_FILES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)


class Fault(Exception):
    """`again`: it may work a little later, after `pause` seconds if the server says so. `host_fault`: no other request to this
    host will work. Otherwise what has arrived is removed, unless it is worth keeping (`keep`)."""

    def __init__(self, words, again=False, pause=None, host_fault=False, keep=False):
        super().__init__(words)
        self.again, self.pause, self.host_fault, self.keep = again, pause, host_fault, keep or again


class Redirects(urllib.request.HTTPRedirectHandler):
    """Remembers where a request has got to, which errors are about."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        self.parent.url = newurl
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def tls_context():
    file = transfer.ca_file()
    paths = ssl.get_default_verify_paths()
    if not (file or paths.cafile or paths.capath):
        file = next(filter(os.path.exists, CA_FILES), "")
    try:
        context = ssl.create_default_context(cafile=file or None)
    except OSError:
        raise Fault(transfer.NO_CA_FILE, host_fault=True) from None
    # Python 3.13 began to insist on extensions that the CAs of many companies lack; curl and git do not. What is
    # downloaded is verified by its hash.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context


def opener(url):
    proxies = urllib.request.getproxies()
    if "all" in proxies:
        proxies = {"http": proxies["all"], "https": proxies["all"], **proxies}
    made = urllib.request.build_opener(
        urllib.request.ProxyHandler(proxies), urllib.request.HTTPSHandler(context=tls_context()), Redirects()
    )
    made.url = url
    return made


def login_for(parts):
    """User name and password: of the address, else of ~/.netrc (or the file NETRC), whatever its mode, as for curl and
    git."""
    if parts.username is not None:
        return urllib.parse.unquote(parts.username), urllib.parse.unquote(parts.password or "")
    file = os.environ.get("NETRC") or os.path.expanduser("~/.netrc")
    try:
        found = netrc.netrc(file).authenticators(parts.hostname)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, netrc.NetrcParseError) as error:
        say(f"fetch: {file} cannot be used: {getattr(error, 'msg', error)}; correct it")
        return None
    return found and (found[0], found[2])


def request_for(url, begin):
    """A user name and a password go to that host only, not to one that it redirects to."""
    parts = urllib.parse.urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    url = urllib.parse.urlunsplit(
        parts._replace(netloc=place, path=urllib.parse.quote(parts.path, safe="/%:+~@!$&'()*,;="))
    )
    request = urllib.request.Request(url, headers={"User-Agent": "torch-superbuild"})
    login = login_for(parts)
    if login:
        token = base64.b64encode(":".join(login).encode()).decode()
        request.add_unredirected_header("Authorization", f"Basic {token}")
    if begin:
        request.add_header("Range", f"bytes={begin}-")
    return request


def fault_of(error, url):
    """For what went wrong before anything arrived."""
    reason = getattr(error, "reason", error)
    host, proxy = transfer.host_of(url), transfer.proxy_of(url)
    tunnel = re.search(r"Tunnel connection failed: (\d+)", str(reason))
    if tunnel:
        words = transfer.proxy_refuses(url, tunnel[1])
    elif isinstance(reason, socket.gaierror):
        words = transfer.cannot("resolve", url, proxy)
    elif isinstance(reason, ssl.SSLCertVerificationError):
        words = transfer.distrust(host, str(reason))
    elif isinstance(reason, (ConnectionResetError, ssl.SSLError, http.client.HTTPException)):
        return Fault(f"{host} closed the connection", again=True)
    elif isinstance(reason, socket.timeout):
        words = f"no answer from {host} in time"
    else:
        words = transfer.cannot("connect to", url, proxy)
    return Fault(words, host_fault=True)


def fault_of_answer(error, shown):
    """For an answer that is an error."""
    words = f"{transfer.refused(error.code)}, from {shown}"
    if error.code == 407:
        return Fault(transfer.proxy_refuses(shown, "407"), host_fault=True)
    asked = error.headers.get("Retry-After", "")
    pause = int(asked) if re.fullmatch("[0-9]{1,9}", asked) else None
    busy = error.code in (429, 500, 502, 503, 504) and (pause or 0) <= LONGEST_PAUSE
    return Fault(words, again=busy, pause=pause)


def receive(response, part, begin, shown, label):
    """Writes what arrives to the end of `part`; says each tenth of the way."""
    whole = None if response.length is None else begin + response.length
    got, lost = begin, False
    tenths = got * 10 // whole if whole else 0
    since, had = time.monotonic(), got
    with open(part, "ab" if begin else "wb", buffering=0) as file:
        while True:
            try:
                block = response.read1(1 << 18)
            except (OSError, http.client.HTTPException):
                lost = True
                break
            if not block:
                break
            file.write(block)
            got += len(block)
            if whole and whole >= LARGE and got * 10 // whole > tenths:
                tenths = got * 10 // whole
                say(f"  {label}: {tenths}0 %")
            seconds = time.monotonic() - since
            if seconds >= SILENCE:
                if got - had < SLOWEST * seconds:
                    raise Fault(f"too slow: {got - had} bytes in {seconds:.0f} seconds, from {shown}", keep=True)
                since, had = time.monotonic(), got
    if lost or (whole and got < whole):
        of = f" of {whole}" if whole else ""
        raise Fault(f"truncated: got {got}{of} bytes, from {shown}", again=True)


def transfer_once(url, shown, part, label):
    begin = os.path.getsize(part) if os.path.exists(part) else 0
    made = opener(url)
    try:
        response = made.open(request_for(url, begin), timeout=SILENCE)
    except urllib.error.HTTPError as error:
        if error.code == 416 and begin:
            # There is nothing after what is here, so it is not the beginning of this file.
            os.remove(part)
            return transfer_once(url, shown, part, label)
        raise fault_of_answer(error, shown) from None
    except OSError as error:
        raise fault_of(error, made.url) from None
    except (ValueError, http.client.InvalidURL):
        raise Fault(
            f"{shown}, what it redirects to, or {transfer.proxy_variable(url)} is not an address: correct it"
        ) from None
    except http.client.HTTPException as error:
        raise fault_of(error, made.url) from None
    with response:
        receive(response, part, begin if response.status == 206 else 0, shown, label)
    return None


def download(run, url, target, label, shown):
    """Why the address cannot be downloaded to `target.part`, or an empty string. `label` is put before each tenth of the way;
    `shown` is the address as it may be shown. A lost connection and a busy server are asked again, twice; what has arrived
    stays."""
    host = url.split("/")[2].rpartition("@")[2]
    for pause in (*PAUSES, None):
        if host in run.unreachable:
            return run.unreachable[host]
        try:
            transfer_once(url, shown, target.part, label)
            return ""
        except Fault as fault:
            if fault.host_fault:
                run.unreachable[host] = str(fault)
            if not fault.keep:
                with contextlib.suppress(FileNotFoundError):
                    os.remove(target.part)
            if pause is None or not fault.again:
                return str(fault)
            time.sleep(pause if fault.pause is None else fault.pause)
    return None
