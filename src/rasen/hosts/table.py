"""The coding agents that we write for: a table of facts, sorted by id. Source: planning §8.1."""

from __future__ import annotations

from types import MappingProxyType

from rasen.hosts.model import Host

NAME, DESCRIPTION, LISTING = "name", "description", "listing"
COMPATIBILITY = "compatibility"
SKILL_LIMITS = MappingProxyType({NAME: 64, DESCRIPTION: 1024, COMPATIBILITY: 500})
"""Characters that the Agent Skills format allows in a name, a description and a compatibility note."""


def _host(id: str, name: str, folder: str, *commands: str, markers: tuple[str, ...] = ()) -> Host:
    return Host(
        id,
        name,
        folder,
        commands=commands,
        markers=markers,
        hyphen_calls=id in ("bob", "opencode", "pi"),
        hides_user_invoked=id in ("cursor", "factory", "github-copilot"),
        limits=SKILL_LIMITS,
    )


_COPILOT = (
    ".github/copilot-instructions.md",
    ".github/instructions",
    ".github/workflows/copilot-setup-steps.yml",
    ".github/prompts",
    ".github/agents",
    ".github/skills",
    ".github/.mcp.json",
)

# fmt: off
HOSTS: tuple[Host, ...] = (
    _host("amazon-q", "Amazon Q Developer", ".amazonq", ".amazonq/prompts/rasen-*.md"),
    _host("antigravity", "Antigravity", ".agent", ".agent/workflows/rasen-*.md"),
    _host("auggie", "Auggie (Augment CLI)", ".augment", ".augment/commands/rasen-*.md"),
    _host("bob", "Bob Shell", ".bob", ".bob/commands/rasen-*.md"),
    Host("claude", "Claude Code", ".claude", commands=(".claude/commands/rasen/*.md",),
         hides_user_invoked=True, limits={**SKILL_LIMITS, LISTING: 15_000}),
    _host("cline", "Cline", ".cline", ".clinerules/workflows/rasen-*.md"),
    _host("codebuddy", "CodeBuddy Code (CLI)", ".codebuddy", ".codebuddy/commands/rasen/*.md"),
    Host("codex", "Codex", ".codex", commands=("~CODEX_HOME/prompts/rasen-*.md",),
         limits={**SKILL_LIMITS, LISTING: 8_000}),
    _host("continue", "Continue", ".continue", ".continue/prompts/rasen-*.prompt"),
    _host("costrict", "CoStrict", ".cospec", ".cospec/rasen/commands/rasen-*.md"),
    _host("crush", "Crush", ".crush", ".crush/commands/rasen/*.md"),
    _host("cursor", "Cursor", ".cursor", ".cursor/commands/rasen-*.md"),
    _host("factory", "Factory Droid", ".factory", ".factory/commands/rasen-*.md"),
    _host("forgecode", "ForgeCode", ".forge"),
    _host("gemini", "Gemini CLI", ".gemini", ".gemini/commands/rasen/*.toml"),
    _host("github-copilot", "GitHub Copilot", ".github", ".github/prompts/rasen-*.prompt.md",
          markers=_COPILOT),
    Host("hermes", "Hermes", ".hermes", home_variable="HERMES_HOME", limits=SKILL_LIMITS),
    _host("iflow", "iFlow", ".iflow", ".iflow/commands/rasen-*.md"),
    _host("junie", "Junie", ".junie", ".junie/commands/rasen-*.md"),
    _host("kilocode", "Kilo Code", ".kilocode", ".kilocode/workflows/rasen-*.md"),
    _host("kimi", "Kimi CLI", ".kimi"),
    _host("kiro", "Kiro", ".kiro", ".kiro/prompts/rasen-*.prompt.md"),
    _host("lingma", "Lingma", ".lingma", ".lingma/commands/rasen/*.md"),
    _host("opencode", "OpenCode", ".opencode", ".opencode/commands/rasen-*.md"),
    _host("pi", "Pi", ".pi", ".pi/prompts/rasen-*.md"),
    _host("qoder", "Qoder", ".qoder", ".qoder/commands/rasen/*.md"),
    _host("qwen", "Qwen Code", ".qwen", ".qwen/commands/rasen-*.toml"),
    _host("roocode", "RooCode", ".roo", ".roo/commands/rasen-*.md"),
    _host("trae", "Trae", ".trae"),
    _host("vibe", "Mistral Vibe", ".vibe"),
    _host("windsurf", "Windsurf", ".windsurf", ".windsurf/workflows/rasen-*.md"),
)
# fmt: on
