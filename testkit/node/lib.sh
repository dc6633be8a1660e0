# What the scripts of this folder share. Sourced, never run.

# Built programs and images, in the user's cache.
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/flotilla/node
# Everything of the cluster that runs.
STATE=${FLOTILLA_NODE_STATE:-/var/tmp/flotilla-node}
export CACHE STATE

# The last line that names a module counts: a replacement follows what it replaces.
version_in() { sed -n "s|.*[[:space:]]$2 \(v[0-9.]*\).*|\1|p" "$HERE/mod/$1/go.mod" | tail -1; }

# A cluster starts with the first and is upgraded to the second, unless an option says otherwise.
KUBERNETES_VERSIONS=(v1.36.1 v1.36.3)
NEWEST=${KUBERNETES_VERSIONS[-1]}
CONTAINERD=$(version_in containerd github.com/containerd/containerd/v2)
COREDNS=$(version_in coredns github.com/coredns/coredns)
ETCD=$(version_in "kubernetes-$NEWEST" go.etcd.io/etcd/server/v3)
PAUSE=3.10.2

# The network of the nodes: this machine is .1, node N is .1N, and its pods have the network PODS.N.
BRIDGE=flotilla0
NODES=10.189.0
PODS=10.188
SERVICES=10.187.0.0/16
MAX_NODES=9
NODE_PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export BRIDGE NODES PODS SERVICES MAX_NODES NODE_PATH

# Exit codes besides 0 and 1.
WRONG_USAGE=2
CANNOT_RUN=3
NOT_BUILT=4

say() { printf '%s\n' "$*" >&2; }

# stop [code] line...
stop() {
  local code=1
  if [[ $1 =~ ^[0-9]$ ]]; then code=$1 && shift; fi
  printf '%s: %s\n' "testkit/node/${0##*/}" "$1" >&2
  shift
  [[ $# -eq 0 ]] || printf '  %s\n' "$@" >&2
  exit "$code"
}

# The comment at the head of the script is its help.
help() { sed -n '2,/^[^#]/ s/^# \{0,1\}//p' "$0"; }

node_ip() { echo "$NODES.1${1#node}"; }
nodes() { ls "$STATE/nodes" 2>/dev/null | paste -sd ' '; }

# A proxy of the environment must not get what is meant for the nodes.
no_proxy=${NO_PROXY:+$NO_PROXY,}$NODES.0/24,$PODS.0.0/16,$SERVICES
export no_proxy NO_PROXY=$no_proxy
kubectl() { "$CACHE/kubernetes-$NEWEST/kubectl" --kubeconfig "$STATE/admin.kubeconfig" "$@"; }

# The first process of a node, as this machine sees it: the child of `unshare`, which is the child of its supervisor.
init_of() {
  local pid
  [[ -s $STATE/nodes/$1/supervisor.pid ]] || stop "there is no node $1; nodes: $(nodes)"
  pid=$(cat "$STATE/nodes/$1/supervisor.pid")
  for _ in 1 2; do
    pid=$(awk '{print $1}' "/proc/$pid/task/$pid/children" 2>/dev/null) && [[ -n $pid ]] ||
      stop "$1 does not run; see $STATE/logs/$1/node.log"
  done
  echo "$pid"
}

# in_node node1 command...: as root of the node.
in_node() {
  local name=$1 init
  shift
  init=$(init_of "$name")
  nsenter --target "$init" --mount --net --pid --uts --ipc --cgroup \
    env -i HOME=/root TERM="${TERM:-dumb}" "PATH=$NODE_PATH" KUBECONFIG=/etc/kubernetes/admin.conf "$@"
}

# await seconds what command...: runs the command twice a second until it succeeds.
await() {
  local deadline=$((SECONDS + $1)) seconds=$1 what=$2
  shift 2
  until ("$@") >/dev/null 2>&1; do
    [[ $SECONDS -lt $deadline ]] || stop "$what: not within $seconds s"
    sleep 0.5
  done
}
