# How the scripts kube/build, helm/build, node/build and capi/build build programs from pinned Go modules. Sourced, never run.
#
# The script defines `say` and `stop`, `is_built PART`, and `compile PART FILE`.

# need_go FOLDER VERSION
need_go() {
  command -v go >/dev/null && return
  stop "no Go found: the programs are built from source, and need Go $2 or newer (https://go.dev/dl)." \
    "Or bring $1 from a machine that has built them."
}

# Compiles for this machine's tests: without debugging information, and with the linker's flags from the caller. Flags that are
# the same everywhere let Go reuse what another script has compiled. The compilers collect their garbage seldom: they live for a
# second, and it takes an eighth of the time.
go_build() { # linker-flags file package more-flags...
  GOGC=400 CGO_ENABLED=0 GOWORK=off go build -mod=readonly -trimpath -buildvcs=false "-gcflags=all=-dwarf=false -l" \
    "-ldflags=-s -w $1" -o "$2" "${@:4}" "$3"
}

# Built under another name and moved: a part that is there is whole.
build_part() { # folder part
  local folder=$1 part=$2 log="$unfinished/log" since=$SECONDS
  if (compile "$part" "$unfinished/program") >"$log" 2>&1; then
    mkdir -p "$(dirname "$folder/$part")"
    mv "$unfinished/program" "$folder/$part"
    say "$part: built in $((SECONDS - since)) s"
    return
  fi
  grep -v '^go: downloading' "$log" | tail -15 >&2
  if grep -qE 'dial tcp|lookup disabled|no such host|proxyconnect|i/o timeout|connection refused|TLS handshake' "$log"; then
    stop "$part: its modules could not be fetched. Set GOPROXY to a proxy that can be reached," \
      "or bring $folder from a machine that has built them."
  fi
  stop "$part: does not build with $(go version), see above"
}

find_absent() { # part...
  local part
  absent=()
  for part; do is_built "$part" || absent+=("$part"); done
  [[ ${#absent[@]} -gt 0 ]]
}

# build_absent FOLDER LOCK GO-VERSION PART...: builds the parts that are not there.
build_absent() {
  local folder=$1 lock=$2 part
  find_absent "${@:4}" || return 0
  need_go "$folder" "$3"
  mkdir -p "$folder"
  # Two at once would compile everything twice; where there is no flock they do, and the result is the same.
  exec 9>"$lock"
  if command -v flock >/dev/null && ! flock -n 9; then
    say "another build is under way, waiting for it"
    flock 9
  fi
  find_absent "${@:4}" || return 0
  say "building ${#absent[@]} programs into $folder; the first time takes ${takes:-ten minutes or more on two cores}"
  command -v flock >/dev/null && rm -rf "$folder"/.unfinished.*
  unfinished=$(mktemp -d "$folder/.unfinished.XXXXXX")
  trap 'rm -rf "$unfinished"' EXIT
  for part in "${absent[@]}"; do build_part "$folder" "$part"; done
}
