"""Addresses of remotes: whether one carries a secret, and how to show it without."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_

CREDENTIALS = Rule(
    "store_remote_credentials",
    Level.ERROR,
    N_("an address of a store carries a password or a token: {remote}"),
    N_("take it out of {place}, and use a credential helper of git"),
)

_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<user>[^/?#\s'\"]*)@")
_SCP = re.compile(r"(?P<user>[^\s/@:'\"]+:[^\s/@'\"]+)@(?=[^\s/:]+:)")
_QUERY = re.compile(
    r"(?P<name>[?&;][A-Za-z_-]*(?:token|passw(?:or)?d|secret|key|auth)[A-Za-z_-]*=)[^&;#\s'\"]+",
    re.I,
)
# A user name alone is no secret, unless it is a token: long, or with the mark of one.
_TOKEN = re.compile(
    r"(?:gh[a-z]_|github_pat_|gl[a-z]*-|xox|oauth|x-token|[A-Za-z]{2,6}_[A-Za-z0-9]{16}).*"
    r"|(?=[^@]*\d)[A-Za-z0-9_.~%-]{20,}",
    re.I,
)
_HIDDEN = "***"


def has_credentials(remote: str) -> bool:
    """Whether `remote` carries a password or a token. `git@host:path` does not.

    Source: planning §7.2.
    """
    return redacted(remote) != remote


def carried(sources: Iterable[tuple[str | None, object]]) -> list[Finding]:
    """A finding for each address that carries a secret; each comes with the place that it is in."""
    return [
        Finding(CREDENTIALS, "store.remote", {"remote": redacted(remote), "place": place})
        for remote, place in sources
        if remote is not None and has_credentials(remote)
    ]


def redacted(text: str) -> str:
    """`text` with the secrets of every address in it replaced; safe to show and to keep."""
    without = _URL.sub(_hide_user, text)
    without = _QUERY.sub(lambda match: match["name"] + _HIDDEN, without)
    return _SCP.sub(_HIDDEN + "@", without) if "://" not in text else without


def without_credentials(remote: str) -> str:
    """`remote` as anyone can use it: passwords, tokens and secret parameters left out."""
    plain = _URL.sub(_drop_secret, remote)
    plain = _QUERY.sub("", plain)
    return _SCP.sub("", plain) if "://" not in remote else plain


def same(left: str, right: str) -> bool:
    """Whether two addresses mean one place: a last `.git` or `/` and the case of the host aside."""
    return _normal(left) == _normal(right)


def _hide_user(match: re.Match[str]) -> str:
    user = _HIDDEN if _is_secret(match["user"]) else match["user"]
    return f"{match['scheme']}://{user}@"


def _drop_secret(match: re.Match[str]) -> str:
    user = match["user"]
    if _is_secret(user):
        user = user.partition(":")[0] if match["scheme"].lower().endswith("ssh") else ""
    return f"{match['scheme']}://{user}@" if user else f"{match['scheme']}://"


def _is_secret(user: str) -> bool:
    name, _, password = user.partition(":")
    return bool(password) or _TOKEN.fullmatch(name) is not None


def _normal(remote: str) -> str:
    plain = remote.strip().rstrip("/").removesuffix(".git").rstrip("/")
    scp = re.fullmatch(r"(?:[^@/]+@)?([^:/]+):(?!//)(.+)", plain)
    if scp:
        return f"{scp[1].lower()}/{scp[2].lstrip('/')}"
    url = re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/@]*@)?([^/]*)/(.*)", plain)
    return f"{url[1].lower()}/{url[2]}" if url else plain
