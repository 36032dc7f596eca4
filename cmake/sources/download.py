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

import transfer
from text import say, without_password

# Seconds without a byte after which a connection counts as lost, also while it is made: of several addresses of a host
# the first may lead nowhere. PAUSES: before the second and the third attempt.
SILENCE, PAUSES, LONGEST_PAUSE = 30, (1, 3), 60
# Bytes of a download that is worth a line for each tenth.
LARGE = 10_000_000
# Where distributions keep their CAs, for a Python that was made elsewhere and looks for them in another place.
CA_FILES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)


class Lost(Exception):
    """The transfer may work a little later, after `pause` seconds if the server says so."""

    def __init__(self, words, pause=None):
        super().__init__(words)
        self.pause = pause


class Refused(Exception):
    """It will not work. `host_fault`: nor will any other request to this host."""

    def __init__(self, words, host_fault=False):
        super().__init__(words)
        self.host_fault = host_fault


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
        raise Refused(transfer.NO_CA_FILE, host_fault=True) from None
    # Python 3.13 began to insist on extensions that the CAs of many companies lack; curl and git do not. What is
    # downloaded is verified by its hash.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context


def opener(url):
    proxies = urllib.request.getproxies()
    if "all" in proxies:
        proxies = {**{"http": proxies["all"], "https": proxies["all"]}, **proxies}
    made = urllib.request.OpenerDirector()
    made.url = url
    for handler in (
        urllib.request.ProxyHandler(proxies),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(context=tls_context()),
        Redirects(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
    ):
        made.add_handler(handler)
    return made


def login_for(parts):
    """User name and password: of the address, else of ~/.netrc (or the file NETRC)."""
    if parts.username is not None:
        return urllib.parse.unquote(parts.username), urllib.parse.unquote(parts.password or "")
    try:
        found = netrc.netrc(os.environ.get("NETRC")).authenticators(parts.hostname)
    except (OSError, ValueError, netrc.NetrcParseError):
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


def sort_fault(error, url):
    """Raises Lost or Refused for what went wrong before anything came."""
    reason = getattr(error, "reason", error)
    host, proxy = transfer.host_of(url), transfer.proxy_of(url)
    tunnel = re.search(r"Tunnel connection failed: (\d+)", str(reason))
    if tunnel:
        raise Refused(transfer.proxy_refuses(host, tunnel[1]), host_fault=True)
    if isinstance(reason, socket.gaierror):
        raise Refused(transfer.cannot_resolve(host, proxy), host_fault=True)
    if isinstance(reason, ssl.SSLCertVerificationError):
        raise Refused(transfer.distrust(host, str(reason)), host_fault=True)
    if isinstance(reason, (ConnectionResetError, ssl.SSLError, http.client.HTTPException)):
        raise Lost(f"{host} closed the connection")
    if isinstance(reason, socket.timeout):
        raise Refused(f"no answer from {host} in time", host_fault=True)
    raise Refused(transfer.cannot_connect(host, proxy), host_fault=True)


def sort_answer(error, url):
    """Raises Lost or Refused for an answer that is an error."""
    words = f"{transfer.refused(error.code)}, from {without_password(url)}"
    if error.code == 407:
        raise Refused(transfer.proxy_refuses(transfer.host_of(url), "407"), host_fault=True)
    if error.code in (429, 500, 502, 503, 504):
        asked = error.headers.get("Retry-After", "")
        pause = int(asked) if re.fullmatch("[0-9]{1,9}", asked) else None
        if pause is None or pause <= LONGEST_PAUSE:
            raise Lost(words, pause)
    raise Refused(words)


def receive(response, part, begin, url, label, most):
    """Writes what comes to the end of `part`, up to `most` bytes in all (0: any number); says each tenth of the way."""
    whole = None if response.length is None else begin + response.length
    got, lost = begin, False
    tenths = got * 10 // whole if whole else 0
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
            if most and got > most:
                raise Refused(f"it has more than the {most} bytes of its pin, from {without_password(url)}")
            if whole and whole >= LARGE and got * 10 // whole > tenths:
                tenths = got * 10 // whole
                say(f"  {label}: {tenths}0 %")
    if lost or (whole and got < whole):
        of = f" of {whole}" if whole else ""
        raise Lost(f"truncated: got {got}{of} bytes, from {without_password(url)}")


def transfer_once(url, part, label, most):
    begin = os.path.getsize(part) if os.path.exists(part) else 0
    made = opener(url)
    try:
        response = made.open(request_for(url, begin), timeout=SILENCE)
    except urllib.error.HTTPError as error:
        if error.code == 416 and begin:
            # There is nothing after what is here, so it is not the beginning of this file.
            os.remove(part)
            return transfer_once(url, part, label, most)
        sort_answer(error, url)
    except OSError as error:
        sort_fault(error, made.url)
    except (ValueError, http.client.InvalidURL):
        shown = without_password(made.url)
        raise Refused(f"{shown}, what it redirects to, or https_proxy is not an address: correct it") from None
    except http.client.HTTPException as error:
        sort_fault(error, made.url)
    with response:
        receive(response, part, begin if response.status == 206 else 0, url, label, most)
    return None


def download(run, url, target, label):
    """Why the address cannot be downloaded to `target.part`, or an empty string. `label` is put before each tenth of the way.
    A lost connection and a busy server are asked again, twice; what has arrived stays."""
    part, most = target.part, target.proof.get("size", 0)
    host = url.split("/")[2].rpartition("@")[2]
    for pause in (*PAUSES, None):
        if host in run.unreachable:
            return run.unreachable[host]
        try:
            transfer_once(url, part, label, most)
            return ""
        except Lost as lost:
            if pause is None:
                say(f"fetch: {label}: {lost}")
                return str(lost)
            time.sleep(pause if lost.pause is None else lost.pause)
        except Refused as refused:
            if refused.host_fault:
                run.unreachable[host] = str(refused)
            with contextlib.suppress(FileNotFoundError):
                os.remove(part)
            return str(refused)
    return None
