# Runs in the pods of an upgrade: "run STEP" runs one step on the node and watches it, "report" says what the node's files say.
# A step runs outside of this container, and its state is kept in files on the node: DIR/STEP/TRY/{start,child,end,log}. So the end of
# this container ends no step, and the next one reads the files. Needs sh, nsenter and the usual small programs, as busybox has them.
set -u
root=${FLOTILLA_ROOT-/host}
dir=$FLOTILLA_DIR
here=$root$dir
# As the node sees it, where "supervise" reads it.
boot=$(cat "${FLOTILLA_BOOT_ID-/proc/1/root/proc/sys/kernel/random/boot_id}" 2>/dev/null || cat /proc/sys/kernel/random/boot_id)
max_tries=${FLOTILLA_MAX_TRIES-3}
pause=${FLOTILLA_RETRY_PAUSE-10}
grace=${FLOTILLA_START_GRACE-60}
termination=${FLOTILLA_TERMINATION-/dev/termination-log}

trap 'exit 143' TERM INT

now() { date +%s; }

node_path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
on_node() { nsenter -t 1 -m -u -i -n -p -- /usr/bin/env -i HOME=/root "PATH=$node_path" "$@"; }

# When a process has started, in ticks since boot: a process id alone may belong to another one by now.
ticks() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

is_alive() { [ -n "${1-}" ] && [ -n "${2-}" ] && [ "$(ticks "$1")" = "$2" ]; }

latest_try() {
  n=0
  while [ -d "$here/$1/$((n + 1))" ]; do n=$((n + 1)); done
  echo "$n"
}

# The seconds in which a step must reboot the node; nothing for a step that does not.
reboot_seconds() {
  for each in $FLOTILLA_REBOOTS; do
    [ "${each%%:*}" != "$1" ] || echo "${each##*:}"
  done
}

# Sets state, try, since and code of a step.
read_step() {
  try=$(latest_try "$1") state=Waiting since=0 code=-
  [ "$try" != 0 ] || return 0
  t=$here/$1/$try reboots=$(reboot_seconds "$1")
  pid='' started='' was=$boot
  [ ! -f "$t/start" ] || read -r pid started was since <"$t/start"
  if [ -n "$reboots" ] && [ "$was" != "$boot" ]; then
    state=Succeeded code=0
    return 0
  fi
  if [ -f "$t/end" ]; then
    read_end
    return 0
  fi
  if [ -z "$pid" ]; then
    since=$(stat -c %Y "$t" 2>/dev/null || now)
    if [ $(($(now) - since)) -lt "$grace" ]; then state=Running; else state=Failed code=137; fi
    return 0
  fi
  child='' child_started=''
  [ ! -f "$t/child" ] || read -r child child_started <"$t/child"
  if [ "$was" = "$boot" ] && { is_alive "$pid" "$started" || is_alive "$child" "$child_started"; }; then
    state=Running
  elif [ -f "$t/end" ]; then
    # It has ended in between.
    read_end
  else
    state=Failed code=137
  fi
}

read_end() {
  read -r code since <"$t/end"
  if [ "$code" != 0 ]; then
    state=Failed
  elif [ -z "$reboots" ]; then
    state=Succeeded
  elif [ $(($(now) - since)) -lt "$reboots" ]; then
    state=Running code=-
  else
    state=Failed code=124
  fi
}

# Gives a try that has ended without a result one, which stays. Fails if the try begins at this moment.
settle() {
  if [ ! -f "$t/start" ]; then
    echo "0 0 $boot $(now)" >"$t/start.$$"
    ln "$t/start.$$" "$t/start" 2>/dev/null || { rm -f "$t/start.$$"; return 1; }
    rm -f "$t/start.$$"
  fi
  echo "$code $(now)" >"$t/end.$$"
  mv "$t/end.$$" "$t/end"
}

report() {
  all='' message=''
  for each_step in $FLOTILLA_STEPS; do
    read_step "$each_step"
    # What is reported as failed must not begin later: the upgrade may end by this report.
    if [ "$state" = Failed ] && [ ! -f "$t/end" ] && ! settle; then read_step "$each_step"; fi
    all="$all${all:+,}\"$each_step\":\"$state $since $try $code\""
    if [ "$state" = Failed ] && [ -f "$here/$each_step/message" ]; then
      message=$(head -c 300 "$here/$each_step/message" | tr '\n\t"\\' "    " | tr -cd ' -~')
    fi
  done
  echo "{\"now\":$(now),\"steps\":{$all},\"message\":\"$message\"}"
}

finish() {
  report
  report >"$termination" 2>/dev/null || true
  exit "$1"
}

# Writes what the node needs to run the step, once.
prepare_files() {
  mkdir -p "$here/$1"
  chmod 700 "$here" "$here/$1"
  # What upgrades of the past have left. A clock that was set forward makes this upgrade one of them too.
  find "${here%/*}" -mindepth 1 -maxdepth 1 -type d ! -name "${here##*/}" -mtime +30 -exec rm -rf {} + 2>/dev/null
  if [ -d /flotilla ] && [ ! -d "$here/$1/files" ]; then
    rm -rf "$here/$1/files.new"
    cp -R /flotilla "$here/$1/files.new" && mv "$here/$1/files.new" "$here/$1/files"
  fi
  printf '%s\n' "$FLOTILLA_SCRIPT" >"$here/$1/script.$$" && mv "$here/$1/script.$$" "$here/$1/script"
  printf '%s\n' "$FLOTILLA_SUPERVISOR" >"$here/supervise.$$" && mv "$here/supervise.$$" "$here/supervise"
}

# Whether a step of another upgrade runs on this node: its NodeUpgrade may have been deleted, and its end must be awaited.
is_busy() (
  for start in "${here%/*}"/*/*/*/start; do
    t=${start%/*}
    case $t in "$here"/*) continue ;; esac
    [ -f "$start" ] && [ ! -f "$t/end" ] || continue
    child='' child_started=''
    read -r pid started was since <"$start"
    [ ! -f "$t/child" ] || read -r child child_started <"$t/child"
    [ "$was" = "$boot" ] || continue
    ! is_alive "$pid" "$started" && ! is_alive "$child" "$child_started" || exit 0
  done
  exit 1
)

# Whether another machine has taken the Node's name since the upgrade began. One on which a step has run is the same, even if the id
# of its operating system changes with each boot.
is_other_machine() {
  [ ! -d "$here" ] && [ -n "${FLOTILLA_MACHINE_ID-}" ] || return 1
  id=$(cat "${FLOTILLA_MACHINE_ID_FILE-$root/etc/machine-id}" 2>/dev/null)
  [ -n "$id" ] && [ "$id" != "$FLOTILLA_MACHINE_ID" ]
}

# Starts a try outside of this container. Only one container can: the folder of a try is made once.
start_try() {
  prepare_files "$1"
  rm -f "$here/$1/message"
  mkdir "$here/$1/$2" 2>/dev/null || return 0
  if ! start_on_node "$1" "$2"; then
    t=$here/$1/$2 code=126
    settle || true
  fi
}

start_on_node() {
  if [ -d "$root/run/systemd/system" ] && on_node sh -c 'command -v systemd-run' >/dev/null 2>&1; then
    on_node systemd-run --quiet --collect --unit "flotilla-$FLOTILLA_NAME-$1-$2" \
      --setenv HOME=/root --setenv "PATH=$node_path" \
      /bin/sh "$dir/supervise" "$dir/$1/$2" "$FLOTILLA_TIMEOUT" unit >/dev/null
  else
    on_node /bin/sh -c 'command -v setsid >/dev/null && s=setsid; $s /bin/sh "$@" </dev/null >/dev/null 2>&1 &' \
      sh "$dir/supervise" "$dir/$1/$2" "$FLOTILLA_TIMEOUT" detached
  fi
}

run() {
  reported_at=0
  while :; do
    if [ $(($(now) - reported_at)) -ge 10 ]; then
      report
      reported_at=$(now)
    fi
    read_step "$1"
    case $state in
      Succeeded) finish 0 ;;
      Waiting)
        [ "$(now)" -lt "$FLOTILLA_DEADLINE" ] || finish 71
        ! is_other_machine || finish 72
        if ! is_busy; then
          start_try "$1" 1
          reported_at=0
        fi
        ;;
      Failed)
        if [ ! -f "$t/end" ]; then
          settle || true
        else
          for each in $FLOTILLA_PERMANENT; do
            [ "$each" != "$code" ] || finish 70
          done
          [ "$try" -lt "$max_tries" ] || finish 75
          [ "$(now)" -lt "$FLOTILLA_DEADLINE" ] || finish 71
          [ $(($(now) - since)) -lt $((pause * try)) ] || is_busy || start_try "$1" $((try + 1))
        fi
        ;;
    esac
    sleep "${FLOTILLA_POLL-2}"
  done
}

case $1 in
  run) run "$2" ;;
  report) finish 0 ;;
esac
