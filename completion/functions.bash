# Prints the candidates for a value, one per line: _htools_values KIND VALUE-SO-FAR CLUSTER-FILE. Some of them may not
# begin with the value.
_htools_values() {
  case $1 in
    file) compgen -f -- "$2" ;;
    dir) compgen -d -- "$2" ;;
    host) if [[ $2 == file://* ]]; then compgen -d -P file:// -- "${2#file://}"; else echo file://; fi ;;
    choices=*) printf '%s\n' "${1#choices=}" | tr , '\n' ;;
    onegroup) _htools_names 0 "$3" ;;
    onenode | manynodes) _htools_names 1 "$3" ;;
    manyinstances) _htools_names 2 "$3" ;;
  esac
}

# The completion function. bash calls it with the command and the part of the word that is to be replaced, which is the
# text after the last "=" or ":".
_htools() {
  COMPREPLY=()
  local tool=${HTOOLS-${1##*/}} line=${COMP_LINE:0:COMP_POINT} words
  read -ra words <<<"$line" # takes whole words, because those of COMP_WORDS end at "=" and ":"
  [[ $line == *[[:blank:]] ]] && words+=("")
  ((${#words[@]} > 1)) || return 0 # there is only the command itself so far
  if [[ $tool == htools ]]; then    # the first word names the tool
    if ((${#words[@]} == 2)); then
      read -ra COMPREPLY < <(compgen -W "$(_htools_tools)" -- "${words[1]}" | paste -sd ' ')
      return 0
    fi
    words=("${words[@]:1}")
    tool=${words[0]}
  fi
  local word=${words[-1]} option=${words[-2]} start=""
  if [[ $word == --*=* ]]; then
    option=${word%%=*} start=${option}=
  fi

  # Finds out whether the word is the value of an option, an option, or another word.
  local long short argument kind value_kind="" words_kind="" options=() i text_file=""
  while read -r long short argument kind _; do
    if [[ $long == words ]]; then
      words_kind=$kind
      continue
    fi
    [[ $short != - ]] && options+=("$short")
    [[ $argument != required ]] && options+=("$long")
    [[ $argument != none ]] && options+=("$long=")
    if [[ $option == "$long" || $option == "$short" ]]; then
      [[ $argument == required || ($start && $argument == optional) ]] && value_kind=$kind
    fi
  done < <(_htools_table "${tool,,}")
  if [[ ! $value_kind && ! $start ]]; then
    value_kind=$words_kind
    [[ $word == -* || ! $words_kind ]] && value_kind=options
  fi

  local value=${word#"$start"} candidate candidates
  if [[ $value_kind == options ]]; then
    candidates=$(printf '%s\n' "${options[@]}")
  else
    for ((i = 1; i < ${#words[@]} - 1; ++i)); do
      case ${words[i]} in
        -t | --text-data) text_file=${words[i + 1]} ;;
        --text-data=*) text_file=${words[i]#*=} ;;
      esac
    done
    candidates=$(_htools_values "$value_kind" "$value" "${text_file/#\~\//${HOME-}/}")
  fi
  [[ $value_kind == many* ]] && start+=${value%"${value##*,}"} # the names before the last comma are kept

  local kept=${word%"$2"}
  while IFS= read -r candidate; do
    [[ $candidate ]] || continue
    candidate=$start$candidate
    [[ $candidate == "$word"* ]] && COMPREPLY+=("${candidate#"$kept"}")
  done <<<"$candidates"
  [[ $value_kind == file || $value_kind == dir ]] && compopt -o filenames
  [[ $value_kind == host || ${COMPREPLY[*]-} == *= ]] && compopt -o nospace
  return 0
}
