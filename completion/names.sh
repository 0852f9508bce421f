# shellcheck shell=bash
# Prints the names in a section (from 0: groups, nodes, instances) of a text file of the cluster: _htools_names SECTION
# FILE. Leaves out names that a shell would not take literally.
_htools_names() {
  [[ -f $2 ]] && awk -F '|' -v wanted="$1" '
    !NF { section++; next }
    section == wanted && $1 ~ /^[[:alnum:]._-]+$/ { print $1 }
  ' "$2"
}

