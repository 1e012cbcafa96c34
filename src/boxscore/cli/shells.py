"""Completion for bash, zsh and fish: from commands and what they take to a script that asks nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Offered(NamedTuple):
    """An option: its flags, what stands for its value (nothing for a switch), and the values that are known."""

    flags: tuple[str, ...]
    metavar: str
    help: str
    values: tuple[str, ...]
    many: bool


class Completed(NamedTuple):
    """A command: its name, what it does, its options, and the values of its argument if they are known."""

    name: str
    text: str
    options: tuple[Offered, ...]
    values: tuple[str, ...]


def bash(commands: Sequence[Completed]) -> str:
    """A function for bash; where it has no answer, files are completed. After a comma the next name begins."""
    cases = []
    for command in commands:
        for option in command.options:
            if option.metavar:
                flags = "|".join(f"'{command.name} {flag}'" for flag in option.flags)
                cases.append(f"        {flags}) values={_quoted(' '.join(option.values))} ;;")
        flags = " ".join(flag for option in command.options for flag in option.flags)
        cases.append(f"        '{command.name} '*) values={_quoted(' '.join(command.values))}")
        cases.append(f"            [[ $cur == -* ]] && values={_quoted(f'{flags} -h --help')} ;;")
    names = " ".join(command.name for command in commands)
    body = "\n".join(cases)
    return f"""# boxscore completion bash
_boxscore() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} values='' start=''
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W '{names} --help --version' -- "$cur"))
        return
    fi
    if [[ $cur == '=' ]]; then cur=''; elif [[ $before == '=' ]]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
    case "${{COMP_WORDS[1]}} $before" in
{body}
    esac
    if [[ $cur == *,* ]]; then
        start=${{cur%,*}},
        cur=${{cur##*,}}
    fi
    [[ $values ]] && COMPREPLY=($(compgen -P "$start" -W "$values" -- "$cur"))
}}
complete -o default -o bashdefault -F _boxscore boxscore
"""


def zsh(commands: Sequence[Completed]) -> str:
    """A function for zsh, to be found in $fpath as `_boxscore`."""
    described = "\n".join(f"        {_quoted(f'{c.name}:{c.text}')}" for c in commands)
    cases = []
    for command in commands:
        specs = [spec for option in command.options for spec in _zsh_specs(option)]
        specs += [_quoted("(- *)" + f"{flag}[Show help and exit.]") for flag in ("-h", "--help")]
        specs.append(_quoted(f"*:argument:{_zsh_values(command.values)}"))
        lines = " \\\n            ".join(specs)
        cases.append(f"    {command.name})\n        _arguments -s \\\n            {lines} ;;")
    body = "\n".join(cases)
    return f"""#compdef boxscore
# boxscore completion zsh
_boxscore() {{
    local -a commands=(
{described}
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    shift words
    (( CURRENT-- ))
    case $words[1] in
{body}
    esac
}}
compdef _boxscore boxscore
"""


def _zsh_specs(option: Offered) -> list[str]:
    again = "*" if option.many else f"({' '.join(option.flags)})" if len(option.flags) > 1 else ""
    text = option.help.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    made = []
    for flag in option.flags:
        if not option.metavar:
            made.append(_quoted(f"{again}{flag}[{text}]"))
            continue
        sign = "=" if flag.startswith("--") else "+"
        value = option.metavar.replace(":", "\\:").replace("|", " ")
        made.append(_quoted(f"{again}{flag}{sign}[{text}]:{value}:{_zsh_values(option.values)}"))
    return made


def _zsh_values(values: Sequence[str]) -> str:
    return f"({' '.join(values)})" if values else "_files"


def fish(commands: Sequence[Completed]) -> str:
    """A line for each command and option."""
    lines = ["# boxscore completion fish", "complete -c boxscore -n __fish_use_subcommand -f -l help -s h -l version"]
    lines += [f"complete -c boxscore -n __fish_use_subcommand -f -a {c.name} -d {_fish(c.text)}" for c in commands]
    for command in commands:
        start = f"complete -c boxscore -n '__fish_seen_subcommand_from {command.name}'"
        if command.values:
            lines.append(f"{start} -a {_fish(' '.join(command.values))}")
        for option in command.options:
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
            value = f" -x -a {_fish(' '.join(option.values))}" if option.values else " -r" if option.metavar else ""
            lines.append(f"{start} {flags}{value} -d {_fish(option.help)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A word for bash and zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def _fish(text: str) -> str:
    """A word for fish, which knows two escapes between quotes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
