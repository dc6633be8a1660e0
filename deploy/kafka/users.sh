#!/usr/bin/env bash
# Creates a SCRAM-SHA-512 user for each component and writes its secret Kafka client settings to a separate file, for
# `kafka.secretsFile`. Not needed if components have certificates: their common names are the users.
#   KAFKA_CONFIGS='kafka-configs.sh --bootstrap-server kafka-0:9093 --command-config admin.properties' \
#     ./users.sh FOLDER orchestrator auditor watcher-east worker-east
set -euo pipefail
case ${1-} in --help | -h) sed -n '2,/^[^#]/ s/^# \{0,1\}//p' "$0" && exit ;; esac
[ $# -gt 1 ] || { echo 'usage: KAFKA_CONFIGS="kafka-configs.sh …" users.sh FOLDER COMPONENT…' >&2; exit 2; }
umask 077
folder=$1
shift
mkdir -p "$folder"

for component in "$@"; do
  user=flotilla-$component
  file=$folder/$user.properties
  [ ! -e "$file" ] || { echo "$file is there: $user stays as it is" >&2; continue; }
  password=$(head -c 32 /dev/urandom | base64 | tr -d '/+=\n')
  # Not as an argument: every user who lists processes could read the password.
  given=$(mktemp)
  printf 'SCRAM-SHA-512=[password=%s]\n' "$password" >"$given"
  # shellcheck disable=SC2086
  if ! ${KAFKA_CONFIGS:?} --alter --entity-type users --entity-name "$user" --add-config-file "$given"; then
    rm -f "$given"
    exit 1
  fi
  rm -f "$given"
  # The auditor shares no code with the other components, and has another name for the user.
  name=sasl.username
  [ "$component" != auditor ] || name=sasl.user
  printf '%s=%s\nsasl.password=%s\n' "$name" "$user" "$password" >"$file"
done
