# shellcheck shell=bash
# The names in a section (from 0: groups, nodes, instances) of a text file of the cluster. Those that a shell would not
# take as they are are left out.
_htools_names() {
  [[ -f $2 ]] && awk -F '|' -v wanted="$1" '
    !NF { section++; next }
    section == wanted && $1 ~ /^[[:alnum:]._-]+$/ { print $1 }
  ' "$2"
}

