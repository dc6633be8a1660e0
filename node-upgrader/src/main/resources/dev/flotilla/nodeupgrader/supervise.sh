# Runs one try of a step on the node and keeps its result: supervise TRY SECONDS unit|detached. Flotilla's node-upgrader starts it,
# and it outlives the container that has.
try=$1 seconds=$2
ticks() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }
if [ "$3" = detached ]; then
  # The end of a container ends what is in its cgroups.
  for file in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do
    [ ! -w "$file" ] || echo $$ >"$file"
  done 2>/dev/null
fi
echo "$$ $(ticks $$) $(cat "${FLOTILLA_BOOT_ID-/proc/sys/kernel/random/boot_id}") $(date +%s)" >"$try/start.$$"
# Without the link, another container has given this try up.
ln "$try/start.$$" "$try/start" 2>/dev/null || exit 0
rm -f "$try/start.$$"
timeout -k 30 "$seconds" /bin/sh "$try/../script" </dev/null >"$try/log" 2>&1 &
child=$!
echo "$child $(ticks $child)" >"$try/child.new" && mv "$try/child.new" "$try/child"
wait "$child"
echo "$? $(date +%s)" >"$try/end.new" && mv "$try/end.new" "$try/end"
