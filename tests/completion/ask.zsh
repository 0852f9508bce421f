# The checks of tests/completion/zsh, which runs this script with zsh.
zmodload zsh/zpty
export LC_ALL=C TERM=dumb
unset HTOOLS
file=${1:A} tool_dir=${2:A}
shift 2

folder=$(mktemp -d)
trap 'zpty -d asked 2>/dev/null; rm -rf $folder' EXIT
cd $folder
mkdir functions here here/saved
cp $file functions/_htools
touch here/cluster.data here/other.data answer
cat >here/names.data <<'END'
default|uuid-1|preferred||
second|uuid-2|preferred||

node1.example.org|1|0|1|1|1|1|M|uuid-1|1
node2.example.org|1|0|1|1|1|1|N|uuid-2|1
$(touch oops)|1|0|1|1|1|1|N|uuid-2|1

web1|1|1|1|running|Y|node1.example.org||plain||1
web2|1|1|1|running|Y|node1.example.org||plain||1
END

# What the asked shell does first: it notes all candidates, and what describes them, in the place of showing them.
cat >setup <<'END'
PS1= PS2= fpath=($PWD/functions $fpath)
autoload -Uz compinit && compinit -u -d $PWD/dump
zstyle ':completion:*' completer _complete
zstyle ':completion:*' verbose yes
answer=$PWD/answer
compadd() {
  local -a found shown
  local -A how
  local at=${@[(I)-d]}
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  ((at)) && shown=(${(P)@[at + 1]})
  builtin compadd -A found "$@"
  print -rl -- $found >>$answer
  ((at)) && print -rl -- "described: "${^shown} >>$answer
  builtin compadd "$@"
}
ask() {
  _main_complete
  print -r -- END >>$answer
  compstate[insert]= compstate[list]=
}
bindkey -e
zle -C ask complete-word ask
bindkey '^I' ask
cd here
print READY >>$answer
END

# Waits for a line of the answer, at most 20 seconds.
wait_for() {
  local tries
  for ((tries = 0; tries < 2000; ++tries)); do
    grep -qx $1 $folder/answer && return
    zpty -r -t asked >/dev/null
    sleep 0.01
  done
  echo "the asked shell does not answer '$line'"
  exit 1
}

integer passed=0 failed=0
complete_line() {
  line=$1
  : >$folder/answer
  zpty -w -n asked $'\x15'"$1"$'\t'
  wait_for END
  described=$(grep '^described: ' $folder/answer)
  found=${(j: :)${(ou)${(f)"$(grep -v -e '^described: ' -e '^END$' $folder/answer)"}}}
}

count() { # STATUS EXPECTED
  if (($1 == 0)); then
    ((++passed))
  else
    ((++failed))
    echo "'$line': '$found', expected $2"
  fi
}

expect() { # LINE CANDIDATES
  complete_line $1
  [[ $found == $2 ]]
  count $? "'$2'"
}

zpty -b asked zsh -f -i
zpty -w asked "cd $folder && . ./setup"
wait_for READY

for tool; do
  forms=(${(f)"$($tool_dir/$tool --help-completion | sed -n 's/ .*//; /^-/s/,/\n/gp' | grep '^-')"})
  complete_line "$tool -"
  for form in $forms; do
    [[ " $found " == *" $form"[\ =+-]* ]]
    count $? "$form to be one of them"
  done
  [[ $described == *"--version"*"print the version and exit"* ]]
  count $? "descriptions, not '$described'"
  expect "$tool --vers" --version
  [[ " $forms " == *" --text-data "* ]] || continue
  expect "$tool -t oth" other.data
  expect "$tool --text-data=clu" cluster.data
done

expect "hscan --output-dir=sav" saved
expect "hail clu" cluster.data
expect "htools hs" "hscan hspace hsqueeze hsweep"
expect "htools hbal --text-data=clu" cluster.data
expect "htools hbal -t names.data -O node" "node1.example.org node2.example.org"
expect "htools nosuch --vers" ""
expect "hinfo clu" ""
expect "hbal --priority=" "high low normal"
expect "hspace --disk-template=d" "diskless drbd"
expect "hbal --mond=" "no yes"
expect "hbal --print-commands=oth" other.data
expect "hbal -l " ""
expect "hbal -m fil" "file://"
expect "hbal -m file://sav" saved
expect "hbal -t names.data -O node" "node1.example.org node2.example.org"
expect "hbal --text-data=names.data -G " "default second"
expect "hbal --text-data=names.data --select-instances=web1,web" web2
expect "hbal -O node" ""
expect "hbal -t missing.data -O node" ""
expect "hbal -t names.data --exclude-instances web1,web" web2
expect "hail -t names.data --restrict-allocation-to=node" "node1.example.org node2.example.org"
[[ ! -e $folder/oops && ! -e $folder/here/oops ]]
count $? "no name to be run as a command"

echo "$passed passed, $failed failed"
((failed == 0))
