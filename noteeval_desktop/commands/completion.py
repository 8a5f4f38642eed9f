"""`noteeval completion`: what lets a shell complete commands, options and values; files as always."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from noteeval_desktop.commands.arguments import commands_of, parser
from noteeval_desktop.commands.run import DONE, Run

# A case is the command and the word before the one that is typed. zsh reads bash's scripts with a function of its own.
_SCRIPT = """\
[ -z "$ZSH_VERSION" ] || {{ autoload -U +X bashcompinit && bashcompinit; }}
_noteeval() {{
  local words typed="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" command="${{COMP_WORDS[1]}}"
  case "$command" in models) [ "$COMP_CWORD" -gt 2 ] && command="models ${{COMP_WORDS[2]}}" ;; esac
  [ "$COMP_CWORD" -eq 1 ] && command= before=
  case "$command $before" in
{cases}
  esac
  case "$typed:$words" in -*:) case "$command" in
{options}
  esac ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$typed"))
}}
complete -o default -F _noteeval noteeval
"""


def completion(run: Run) -> int:
    """A script for bash and zsh on standard output."""
    whole = parser()
    cases = [f'    " ") words="{_joined(commands_of(whole))} {_joined(whole._option_string_actions)}" ;;']
    options = []
    for name, command in _commands(whole):
        options.append(f'    "{name}") words="{_joined(command._option_string_actions)}" ;;')
        for action in command._actions:
            if action.choices:
                before = action.option_strings or [name.rpartition(" ")[2]]
                patterns = "|".join(f'"{name} {one}"' for one in before)
                cases.append(f'    {patterns}) words="{_joined(action.choices)}" ;;')
    run.out.write(_SCRIPT.format(cases="\n".join(cases), options="\n".join(options)))
    return DONE


def _commands(whole: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Each by what is typed for it, those of `models` too."""
    for name, command in commands_of(whole).items():
        yield name, command
        yield from ((f"{name} {inner}", own) for inner, own in commands_of(command).items())


def _joined(words: Iterable[object]) -> str:
    return " ".join(map(str, words))
