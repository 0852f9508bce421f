# Adds the names in a section of the cluster file on the command line as candidates: _htools_offer_names SECTION
# ARGUMENTS, where _arguments adds the ARGUMENTS.
_htools_offer_names() {
  local file=${(Q)${opt_args[--text-data]:-${opt_args[-t]}}} names
  names=(${(f)"$(_htools_names $1 "${file/#\~\//${HOME-}/}")"})
  compadd "${@:2}" -a names
}
_htools_offer_groups() { _htools_offer_names 0 "$@"; }
_htools_offer_nodes() { _htools_offer_names 1 "$@"; }
_htools_offer_instances() { _htools_offer_names 2 "$@"; }

_htools_offer_host() {
  if compset -P file://; then
    _files -/
  else
    compadd "$@" -S '' file://
  fi
}

# Sets REPLY to the action of _arguments that completes the values of a kind.
_htools_action() {
  case $1 in
    file) REPLY=_files ;;
    dir) REPLY='_files -/' ;;
    host) REPLY=_htools_offer_host ;;
    choices=*) REPLY="(${${1#choices=}//,/ })" ;;
    onegroup) REPLY=_htools_offer_groups ;;
    onenode) REPLY=_htools_offer_nodes ;;
    manynodes) REPLY='_sequence _htools_offer_nodes' ;;
    manyinstances) REPLY='_sequence _htools_offer_instances' ;;
    *) REPLY=' ' ;; # there are no candidates for values of other kinds
  esac
}

_htools() {
  local tool=${HTOOLS-${service:t}} long short argument kind description REPLY
  local -a specs
  if [[ $tool == htools ]]; then # the first word names the tool
    if ((CURRENT == 2)); then
      compadd - $(_htools_tools)
      return
    fi
    tool=$words[2]
    shift words
    ((CURRENT--))
  fi
  while read -r long short argument kind description; do
    _htools_action $kind
    if [[ $long == words ]]; then
      specs+=("*:$kind:$REPLY")
      continue
    fi
    description="[${${description//\[/\\[}//\]/\\]}]"
    case $argument in
      none) specs+=("*$long$description") && [[ $short != - ]] && specs+=("*$short$description") ;;
      required)
        specs+=("*$long=$description:${kind%%=*}:$REPLY")
        [[ $short != - ]] && specs+=("*$short+$description:${kind%%=*}:$REPLY")
        ;;
      optional)
        specs+=("*$long=-$description::${kind%%=*}:$REPLY")
        [[ $short != - ]] && specs+=("*$short-$description::${kind%%=*}:$REPLY")
        ;;
    esac
  done < <(_htools_table ${tool:l})
  _arguments -s -S : $specs
}

_htools "$@"
