"""The completion script of PowerShell (5.1 and newer)."""

from __future__ import annotations

from rasen.surfaces.cli.shells.tree import Place, Values

_HEAD = """\
# rasen completion for PowerShell

Register-ArgumentCompleter -Native -CommandName rasen -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $places = @{
"""

_TAIL = """\
    }

    $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })
    if ($wordToComplete -ne '' -and $words.Count -gt 1) { $words = @($words[0..($words.Count - 2)]) }
    $at = ''
    foreach ($word in @($words | Select-Object -Skip 1)) {
        $next = ($at + ' ' + $word).Trim()
        if ($places.ContainsKey($next)) { $at = $next }
    }
    $place = $places[$at]
    $previous = $words[-1]

    function Ask($kinds) {
        foreach ($kind in $kinds) {
            foreach ($line in @(rasen __complete $kind 2>$null)) {
                $parts = $line -split "`t", 2
                , @($parts[0], $parts[-1])
            }
        }
    }

    $rows = @()
    if ($place.Values.ContainsKey($previous)) {
        $value = $place.Values[$previous]
        $rows += @($value.Words | ForEach-Object { , @($_, $_) })
        $rows += @(Ask $value.Kinds)
    } elseif ($wordToComplete.StartsWith('-')) {
        $rows += $place.Flags
    } else {
        $rows += $place.Commands
        $rows += @($place.Positional.Words | ForEach-Object { , @($_, $_) })
        $rows += @(Ask $place.Positional.Kinds)
    }

    foreach ($row in $rows) {
        $text = $row[0]
        if (-not $text -or -not $text.StartsWith($wordToComplete)) { continue }
        $tip = if ($row[1]) { $row[1] } else { $text }
        $shown = if ($text -match '[^\\w./-]') { "'" + $text.Replace("'", "''") + "'" } else { $text }
        [System.Management.Automation.CompletionResult]::new($shown, $text, 'ParameterValue', $tip)
    }
}
"""


def script(places: list[Place]) -> str:
    """The whole script."""
    return _HEAD + "".join(_place(place) for place in places) + _TAIL


def _place(place: Place) -> str:
    flags = [(name, flag.help) for flag in place.flags for name in flag.names]
    values = "; ".join(
        f"{_quoted(name)} = {_values(flag.values)}"
        for flag in place.flags
        if flag.values is not None
        for name in flag.names
    )
    return (
        f"        {_quoted(place.path)} = @{{\n"
        f"            Commands = {_rows(place.commands)}\n"
        f"            Flags = {_rows(flags)}\n"
        f"            Values = @{{ {values} }}\n"
        f"            Positional = {_values(place.positional)}\n"
        "        }\n"
    )


def _rows(rows: tuple[tuple[str, str], ...] | list[tuple[str, str]]) -> str:
    return "@(" + ", ".join(f"@({_quoted(name)}, {_quoted(text)})" for name, text in rows) + ")" \
        if len(rows) != 1 else f"@(, @({_quoted(rows[0][0])}, {_quoted(rows[0][1])}))"  # fmt: skip


def _values(values: Values) -> str:
    return f"@{{ Words = {_list(values.words)}; Kinds = {_list(values.kinds)} }}"


def _list(words: tuple[str, ...]) -> str:
    return "@(" + ", ".join(_quoted(word) for word in words) + ")"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
