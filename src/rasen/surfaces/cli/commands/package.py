"""`rasen package`: look into packages before they are installed, sign them, and check who signed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK
from rasen.base.messages import N_
from rasen.surfaces.cli.run import App, guarded, json_option

if TYPE_CHECKING:
    from rasen.packages.ops import Inspection, Verification
    from rasen.packages.signatures import Seal

_FALLBACK = "package_command_error"
_HEADINGS = {
    "bidirectional_character": N_("Characters that change the direction of text: {count}"),
    "hidden_character": N_("Characters that cannot be seen: {count}"),
    "control_character": N_("Control characters: {count}"),
    "hidden_comment": N_("Comments that a rendered page does not show: {count}"),
    "encoded_text": N_("Long runs of encoded text: {count}"),
    "network_word": N_("Words that reach for the network: {count}"),
    "secret_word": N_("Words about secrets: {count}"),
    "outside_path": N_("Paths that lead outside the folder of the skill: {count}"),
    "link": N_("Links: {count}"),
    "link_text_differs": N_("Links that show another address than they lead to: {count}"),
    "script": N_("Scripts: {count}"),
}
_FEW = 5


@click.command(
    name="inspect",
    help=N_(
        "Show what is in a package without installing it: its files, scripts and links, characters"
        " that cannot be seen, words that reach for the network, for secrets or outside.\n\n"
        "These are facts to look at. They say neither that a package is safe nor that it is not."
    ),
)
@click.argument("file", metavar="PACKAGE")
@click.option("--all", "show_all", is_flag=True, help=N_("Show every fact, not the first few"))
@json_option
@guarded(fallback=_FALLBACK, null={"package": None, "entries": [], "facts": []})
def inspect(app: App, *, file: str, show_all: bool, as_json: bool) -> None:
    from rasen.packages import ops

    found = ops.inspect(app.ctx, file)
    if as_json:
        app.document({**found.to_json(), "status": []})
        return
    _tell_head(app, found)
    _tell_files(app, found)
    _tell_facts(app, found, most=None if show_all else _FEW)
    app.line()
    app.line(N_("These are facts, no verdict: read what an agent will read."))


@click.command(
    name="sign",
    help=N_(
        "Sign a package with an SSH key; the signature is put beside it.\n\n"
        "A signature says who vouches for exactly these bytes, and nothing about what they do."
    ),
)
@click.argument("file", metavar="PACKAGE")
@click.option(
    "--key",
    required=True,
    metavar="FILE",
    help=N_("The SSH key: a private one, or the public half of one that your agent holds"),
)
@json_option
@guarded(fallback=_FALLBACK, null={"signature": None})
def sign(app: App, *, file: str, key: str, as_json: bool) -> None:
    from rasen.packages import ops

    package, signature = ops.sign(app.ctx, file, key=key)
    if as_json:
        made = {"path": str(signature), "digest": package.digest}
        app.document({"signature": made, "status": []})
        return
    app.line(N_("Signed {file}: {signature}"), file=file, signature=signature)


@click.command(
    name="verify",
    help=N_(
        "Check a package and its signature, and say whose it is.\n\n"
        "Ends with 1 unless it is signed with a key that this machine trusts."
    ),
)
@click.argument("file", metavar="PACKAGE")
@click.option("--signature", metavar="FILE", help=N_("Where the signature is, if not beside it"))
@click.option(
    "--trust",
    metavar="NAME",
    help=N_("Trust the key from now on, as that of NAME; compare its fingerprint first"),
)
@json_option
@guarded(fallback=_FALLBACK, null={"verification": None})
def verify(app: App, *, file: str, signature: str | None, trust: str | None, as_json: bool) -> int:
    from rasen.packages import ops

    found = ops.verify(app.ctx, file, signature=signature, trust=trust)
    if as_json:
        app.document({"verification": found.to_json(), "status": []})
    else:
        _tell_verification(app, found)
    return EXIT_OK if found.seal.signer is not None else EXIT_FAILED


def _tell_head(app: App, found: Inspection) -> None:
    one = found.package
    app.line(N_("Package: {file}"), file=found.file)
    app.line(N_("Kind: {kind}"), kind=one.kind.value)
    if one.name is not None:
        app.line(N_("Name: {name}"), name=one.name)
    app.line(N_("Size: {count} bytes"), count=found.size_bytes)
    app.line(N_("Digest: {digest}"), digest=one.digest)
    app.line(N_("About: {roots}"), roots=", ".join(one.roots) or "-")
    if one.profile is not None:
        app.line(N_("Selects: {ids}"), ids=", ".join(one.profile.workflows) or "-")
    app.line(N_("Signature: {words}"), words=_words(app, found.seal))


def _words(app: App, seal: Seal) -> str:
    if seal.key is None:
        return app.t(N_("none"))
    if seal.signer is None:
        return app.t(N_("of a key nobody here trusts, {key}"), key=seal.key.fingerprint)
    return app.t(N_("of {signer}, {key}"), signer=seal.signer, key=seal.key.fingerprint)


def _tell_files(app: App, found: Inspection) -> None:
    from rasen.packages.facts import visible
    from rasen.surfaces.cli.columns import column, padded, row

    for entry in found.entries:
        app.line()
        app.line("{id}/", id=entry.id)
        names = [visible(one.path) for one in entry.files]
        width = column(names)
        for name, one in zip(names, entry.files, strict=True):
            size = app.t(N_("{count} bytes, {lines} lines"), count=one.size_bytes, lines=one.lines)
            mark = app.t(N_("script")) if one.is_script else ""
            app.raw(row(f"  {padded(name, width)}", size, mark))


def _tell_facts(app: App, found: Inspection, *, most: int | None) -> None:
    from rasen.packages.facts import visible

    for kind, heading in _HEADINGS.items():
        count = found.facts.counts[kind]
        if not count:
            continue
        app.line()
        app.line(heading, count=count)
        told = found.told(kind)
        for one in told[:most]:
            app.raw(f"  {visible(one.path)}:{one.line}:{one.column}  {one.excerpt}\n")
        rest = count - len(told[:most])
        if rest:
            app.line(N_("  and {count} more"), count=rest)


def _tell_verification(app: App, found: Verification) -> None:
    app.line(N_("Package: {file}"), file=found.file)
    app.line(N_("Digest: {digest}"), digest=found.package.digest)
    app.line(N_("Signature: {words}"), words=_words(app, found.seal))
    if found.seal.signer is None and found.seal.key is not None:
        app.line(
            N_(
                "Ask the signer for the fingerprint. If it is that one, run this with --trust <name>."
            )
        )
