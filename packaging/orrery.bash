# Completion of `orrery` for bash. Commands and options come from --help, so
# that they are always those of the installed version.
_orrery() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$(_orrery_commands "$1")" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(
      compgen -W "$(_orrery_options "$1" "$command")" -- "$word")
  fi
}

_orrery_commands() {
  "$1" --help | sed -n '/^Subcommands:/,$s/^  \([a-z]\+\)[, ].*/\1/p'
}

_orrery_options() {
  "$1" "$2" --help 2>/dev/null | grep -o -- '--[a-z][a-z-]*' | sort -u
}

# File names where no command and no option is meant.
complete -o default -F _orrery orrery
