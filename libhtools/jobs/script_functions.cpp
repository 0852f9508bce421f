#include "jobs/script_functions.h"

#include <array>
#include <cstddef>

namespace htools {
namespace {

// Lets the user do what no command does. Without a terminal to answer at, the script stops; a playbook tells it with
// the variable BY_HAND that the user has done it.
constexpr std::string_view kByHand = R"sh(by_hand() {
  [ "${BY_HAND-}" != done ] || return 0
  printf 'By hand: %s. Then press Enter.\n' "$1"
  read -r _ || exit 1
}

)sh";

// Tells at once what a move waits for. In a script that carries out waves, what a move prints is kept until it has
// ended, and the output of the script is descriptor 3.
constexpr std::string_view kTell = R"sh(tell() {
  printf '%s\n' "$*"
}

)sh";
constexpr std::string_view kTellOfMove = R"sh(tell() {
  printf '%s\n' "$name: $*" >&3
}

)sh";

// A shell on the other host gets the command through a pipe, in quotes: ssh itself would let it split the words again.
constexpr std::string_view kProxmoxFunctions = R"sh(pve=/etc/pve/nodes

# Runs a command on a host: qm and pct know only the guests of the host that they run on.
on() {
  host=$1
  shift
  if [ ! -d "$pve/$host" ] || [ "$(hostname -s)" = "$host" ]; then
    "$@"
    return
  fi
  command='' quote="'"
  for word; do
    quoted=''
    while [ "$word" != "${word#*"$quote"}" ]; do
      quoted=$quoted${word%%"$quote"*}"'\\''"
      word=${word#*"$quote"}
    done
    command="$command '$quoted$word'"
  done
  printf '%s\n' "$command" | ssh "root@$host" sh
}

# Waits until the configuration of a guest is on a host: ha-manager moves guests later. Gives up after $patience
# seconds, or two hours.
wait_until_on() {
  if [ ! -d "$pve/$1" ] || [ -e "$pve/$1/$2.conf" ]; then return 0; fi
  tries=$((${patience:-7200} / 5))
  tell "waiting until ha-manager has moved guest ${2##*/} to $1, at most $(((tries + 6) / 12)) min"
  until [ -e "$pve/$1/$2.conf" ]; do
    if [ "$tries" -eq 0 ]; then
      echo "ha-manager has not moved guest ${2##*/} to $1. Look at: ha-manager status; journalctl -u pve-ha-crm -u pve-ha-lrm"
      exit 1
    fi
    tries=$((tries - 1))
    sleep 5
  done
}

)sh";

// The functions ask(), which write the place of each instance to a file in $work/place.
constexpr std::string_view kAskGaneti = R"sh(# Asks Ganeti on which nodes each instance is.
ask() {
  gnt-instance list --no-headers --separator='|' -o name,pnode,snodes >"$work/list" || return 1
  while IFS='|' read -r name primary secondary; do
    file_of "$name"
    printf '%s\n' "$primary${secondary:+:$secondary}" >"$work/place/$file"
  done <"$work/list"
}

)sh";

// Only plans that restore instances need these.
constexpr std::string_view kStartedByGaneti =
    R"sh(# An instance that is at PLACE, but has not been started there: KEY PLACE NAME.
started_on() {
  look_up "$1"
  [ "$place" = "$2" ] || return 0
  case $(gnt-instance list --no-headers -o status -- "$3") in
    running) ;;
    *) printf '%s\n' "$2 (off)" >"$work/place/$file" ;;
  esac
}

)sh";

constexpr std::string_view kAskProxmox = R"sh(# Asks Proxmox VE on which host each guest is: there its configuration is.
ask() {
  if [ ! -d "$pve" ]; then
    echo "There is no $pve here: run this script on a host of the cluster." >&2
    return 1
  fi
  for conf in "$pve"/*/qemu-server/*.conf "$pve"/*/lxc/*.conf; do
    [ -e "$conf" ] || continue
    id=${conf##*/}
    host=${conf#"$pve/"}
    case $conf in
      */qemu-server/*) key=vm:${id%.conf} ;;
      *) key=ct:${id%.conf} ;;
    esac
    file_of "$key"
    printf '%s\n' "${host%%/*}" >"$work/place/$file"
  done
}

# A guest that is on HOST, but has not been started there: KEY HOST qm|pct ID.
started_on() {
  look_up "$1"
  [ "$place" = "$2" ] || return 0
  case $(on "$2" "$3" status "$4") in
    *running*) ;;
    *) printf '%s\n' "$2 (off)" >"$work/place/$file" ;;
  esac
}

# A guest that ha-manager restarts on any host is still to be moved unless it is at one of its places: KEY PLACE...
restarted_anywhere() {
  look_up "$1"
  shift
  for known; do
    [ "$place" != "$known" ] || return 0
  done
  printf '%s\n' "$1" >"$work/place/$file"
}

)sh";

constexpr std::string_view kAskOpenstack =
    R"sh(# Asks OpenStack on which host each server is. Some versions say the host of the compute service instead.
ask() {
  openstack server list --all-projects --long -f value -c ID -c Status -c Host >"$work/list" || return 1
  while read -r id status host; do
    node_of_service "$host"
    [ "$status" != VERIFY_RESIZE ] || node="$node (unconfirmed)"
    file_of "$id"
    printf '%s\n' "$node" >"$work/place/$file"
  done <"$work/list"
}

)sh";

constexpr std::string_view kAskLibvirt =
    R"sh(# Asks libvirt which domains a host has. Domains of a host that does not answer are nowhere.
ask_host() {
  virsh -c "qemu+ssh://$1/system" list --all --name >"$work/list" || return 0
  while IFS= read -r name; do
    [ -n "$name" ] || continue
    look_up "$name"
    [ "$place" = nowhere ] || printf '%s and ' "$place" >"$work/place/$file"
    printf '%s\n' "$1" >>"$work/place/$file"
  done <"$work/list"
}

)sh";

// Gives the lines of a plan their meaning.
constexpr std::string_view kWaves = R"sh(say() {
  printf '%s\n' "$*"
}

# Sets $file to a name for files about an instance, whose own name may contain slashes.
file_of() {
  file=k rest=$1
  while :; do
    part=${rest%%[/%]*}
    file=$file$part
    rest=${rest#"$part"}
    case $rest in
      /*) file=$file%2F ;;
      %*) file=$file%25 ;;
      *) return ;;
    esac
    rest=${rest#?}
  done
}

# Sets $place to the place of an instance, and $file.
look_up() {
  place=nowhere
  file_of "$1"
  [ ! -e "$work/place/$file" ] || IFS= read -r place <"$work/place/$file"
}

# Asks the platform for the places of all instances.
ask_places() {
  rm -rf "$work/place"
  mkdir "$work/place"
  places || {
    echo 'It is unknown where the instances are.' >&2
    return 1
  }
}

# In a step: true if the instance is at this place.
at() {
  [ "$place" = "$1" ]
}

# The plan is read several times. $pass says what its lines do:
#   wave NUMBER MOVES [TIME SECONDS]   how many moves, and how long they take, in words and as a number
#   move NUMBER INSTANCE KEY PLACE...   from the first place by way of the others to the last one
wave() {
  "${pass}_wave" "$@"
}
move() {
  by_hand=
  "${pass}_move" "$@"
}
move_by_hand() {
  by_hand=yes
  "${pass}_move" "$@"
}

# Finds the wave to go on with: the first one that explains all places. Its moves may have been made or not; all other
# instances are where the moves before have brought them. $away instances are not where they are before the first
# wave; before this wave they are $change more, of which its moves explain $explained.
find_wave() {
  if [ "$wave" -gt 0 ] && { [ -z "$least" ] || [ $((change - explained)) -lt "$least" ]; }; then
    least=$((change - explained))
    first=$wave
  fi
  wave=$1
  change=$next
  explained=0
}
find_move() {
  look_up "$3"
  shift 3
  if [ ! -e "$work/seen/$file" ]; then
    : >"$work/seen/$file"
    [ "$place" = "$1" ] || away=$((away + 1))
  fi
  if [ "$place" != "$1" ]; then
    next=$((next - 1))
    for passed; do
      [ "$place" != "$passed" ] || explained=$((explained + 1))
    done
  fi
  for last; do :; done
  [ "$place" = "$last" ] || next=$((next + 1))
}

# Says which instances are not where they are before the first wave that is left.
stray_wave() {
  wave=$1
}
stray_move() {
  name=$2
  look_up "$3"
  shift 3
  expected=$1
  if [ "$wave" -lt "$first" ]; then
    for expected; do :; done
  elif [ -e "$work/expected/$file" ] && [ "$wave" -gt "$first" ]; then
    return
  fi
  if [ "$wave" -eq "$first" ]; then
    for passed; do
      [ "$place" != "$passed" ] || expected=$place
    done
  fi
  if [ "$place" = "$expected" ]; then
    rm -f "$work/stray/$file"
  else
    say "$name is on $place, not on $expected" >"$work/stray/$file"
  fi
  : >"$work/expected/$file"
}

# Counts the moves of a wave, and those that are left.
count_wave() {
  counted=$1
}
count_move() {
  [ "$counted" -eq "$wave" ] || return 0
  all=$((all + 1))
  look_up "$3"
  shift 3
  for last; do :; done
  [ "$place" = "$last" ] || left=$((left + 1))
}

# Starts the moves of a wave, which run side by side, and waits for all of them before the next one.
run_wave() {
  end_wave
  wave=$1
  [ "$wave" -ge "$first" ] || return 0
  if [ -f /tmp/stop-htools ]; then
    echo 'Stop requested.' >&2
    stop
  fi
  ask_places || stop
  patience=${4:+$((600 + 5 * $4))}
  all=0 left=0 pass=count
  plan
  pass=run
  text="$2${3:+, about $3}"
  [ "$left" -eq "$all" ] || text="$left of $2 left${3:+, at most about $3}"
  [ "$left" -gt 0 ] || text='done already'
  say "wave $wave of $waves: $text"
}
run_move() {
  if [ -n "$by_hand" ] && has_failed; then return; fi
  number=$1
  name=$2
  look_up "$3"
  shift 3
  for last; do :; done
  if [ "$wave" -lt "$first" ] || [ "$place" = "$last" ]; then
    say "$name: done already"
    echo 0 >"$work/status/$number"
    return
  fi
  started="$started $number"
  if [ -n "$by_hand" ]; then
    make_move
  else
    {
      make_move >"$work/output/$number" 2>&1
      while IFS= read -r line || [ -n "$line" ]; do say "$name: $line"; done <"$work/output/$number"
    } </dev/null &
  fi
}
make_move() {
  (
    set -e
    "step_$number"
    if ! at "$last"; then
      say "is on $place, where the plan does not expect it"
      exit 1
    fi
  )
  echo $? >"$work/status/$number"
}

# True if a move that was started has failed.
has_failed() {
  for number in $started; do
    [ -e "$work/status/$number" ] || continue
    read -r status <"$work/status/$number"
    [ "$status" -eq 0 ] || return 0
  done
  return 1
}
end_wave() {
  until wait; do :; done
  if has_failed || [ -n "$stopping" ]; then stop; fi
  started=
}

# Says how far the plan is, and ends.
stop() {
  pass=report
  for wanted in 'done' failed 'not done'; do plan; done >&2
  echo 'Run this script again to go on: it skips what is done.' >&2
  exit 1
}
report_wave() { :; }
report_move() {
  state='not done' status=0
  if [ -e "$work/status/$1" ]; then
    state='done'
    read -r status <"$work/status/$1"
    [ "$status" -eq 0 ] || state=failed
  fi
  [ "$state" = "$wanted" ] || return 0
  text=$state
  [ "$state" != failed ] || text="failed with status $status"
  name=$2
  from=$4
  for last; do :; done
  say "$text: $name from $from to $last"
}

# Makes one move, for those who start moves themselves.
only_wave() {
  wave=$1
  patience=${4:+$((600 + 5 * $4))}
}
only_move() {
  [ "$1" = "$only" ] || return 0
  number=$1
  name=$2
  look_up "$3"
  shift 3
  for last; do :; done
  if [ "$wave" -lt "$first" ] || [ "$place" = "$last" ]; then
    say "$name: done already"
    exit 0
  fi
  make_move
  read -r status <"$work/status/$number"
  exit "$status"
}

carry_out() {
  exec 3>&1
  only=${1-}
  work=$(mktemp -d) || exit 1
  trap 'rm -rf "$work"' EXIT
  trap 'stopping=yes; echo "Stopping after this wave." >&2' HUP INT TERM
  mkdir "$work/seen" "$work/expected" "$work/stray" "$work/status" "$work/output"
  started='' stopping=''
  ask_places || exit 1

  pass=find wave=0 first=1 least='' away=0 next=0 change=0 explained=0
  plan
  find_wave $((waves + 1))
  find_wave 0
  if [ -n "$only" ]; then
    pass=only
    plan
    echo "There is no move $only." >&2
    exit 1
  fi
  if [ $((away + least)) -ne 0 ]; then
    pass=stray
    plan
    cat "$work"/stray/* >&2
    echo 'The instances are not where the plan expects them. Nothing was started.' >&2
    echo 'Plan the rest from where they are: hplan --resume=PLAN, with a file of --save-plan or the output of hplan.' >&2
    exit 1
  fi

  pass=run wave=0
  plan
  end_wave
  echo 'All moves of the plan are made.'
}

)sh";

// What each platform needs, in the order of CommandPlatform.
constexpr std::array<std::string_view, kPlatformsWithCommands> kAsk{kAskGaneti, kAskProxmox, kAskOpenstack,
                                                                    kAskLibvirt};

std::string functions_of(CommandPlatform platform, std::string_view tell) {
  if (platform == CommandPlatform::Ganeti) return {};
  std::string text(kByHand);
  if (platform == CommandPlatform::Proxmox) text.append(tell).append(kProxmoxFunctions);
  return text;
}

}  // namespace

std::string script_functions(CommandPlatform platform) { return functions_of(platform, kTell); }

std::string wave_functions(CommandPlatform platform, bool has_steps_by_hand) {
  std::string text;
  if (platform == CommandPlatform::Ganeti && has_steps_by_hand) text = std::string(kByHand).append(kStartedByGaneti);
  return text.append(functions_of(platform, kTellOfMove))
      .append(kAsk[static_cast<std::size_t>(platform)])
      .append(kWaves);
}

}  // namespace htools
