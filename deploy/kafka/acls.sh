#!/usr/bin/env bash
# Grants each component its rights in Kafka, and nothing else; again does no harm. Names are the users of SCRAM, or the common
# names of certificates. Written by AclGrantScriptTest from what the code says; `flotilla site add SITE --apply-acls` does the same.
# No person and no other tool gets a transactional id: a transaction that is left open hides what others write behind it, a freeze
# too. Set transaction.max.timeout.ms=60000 at the brokers, so that one ends within a minute (docs/operate.md).
#   KAFKA_ACLS='kafka-acls.sh --bootstrap-server kafka-0:9093 --command-config admin.properties' ./acls.sh fleet
#   KAFKA_ACLS='…' ./acls.sh east west        (the rights of these sites' watchers and workers)
set -euo pipefail
case ${1-} in --help | -h) sed -n '2,/^[^#]/ s/^# \{0,1\}//p' "$0" && exit ;; esac
[ $# -gt 0 ] || { echo 'usage: KAFKA_ACLS="kafka-acls.sh …" acls.sh fleet|SITE…' >&2; exit 2; }

grant() {
  # shellcheck disable=SC2086
  ${KAFKA_ACLS:?} --add --force --allow-principal "User:$1" --operation "$2" "--$3" "$4" --resource-pattern-type "$5"
}

fleet() {
  grant flotilla-orchestrator Read topic flotilla.inventory. prefixed
  grant flotilla-orchestrator Read topic flotilla.intents. prefixed
  grant flotilla-orchestrator Read topic flotilla.status. prefixed
  grant flotilla-orchestrator Read topic flotilla.commands. prefixed
  grant flotilla-orchestrator Read topic flotilla.progress. prefixed
  grant flotilla-orchestrator Read topic flotilla.campaigns literal
  grant flotilla-orchestrator Read topic flotilla.orders literal
  grant flotilla-orchestrator Read topic flotilla.approvals literal
  grant flotilla-orchestrator Read topic flotilla.freezes literal
  grant flotilla-orchestrator Read topic flotilla.auditor-orders literal
  grant flotilla-orchestrator Read topic flotilla.policies literal
  grant flotilla-orchestrator Read topic flotilla.campaign-status literal
  grant flotilla-orchestrator Read topic flotilla.head literal
  grant flotilla-orchestrator Read topic flotilla.journal literal
  grant flotilla-orchestrator Read topic flotilla.rejected literal
  grant flotilla-orchestrator Read topic flotilla.leader literal
  grant flotilla-orchestrator Write topic flotilla.status. prefixed
  grant flotilla-orchestrator Write topic flotilla.commands. prefixed
  grant flotilla-orchestrator Write topic flotilla.campaign-status literal
  grant flotilla-orchestrator Write topic flotilla.head literal
  grant flotilla-orchestrator Write topic flotilla.journal literal
  grant flotilla-orchestrator Write topic flotilla.rejected literal
  grant flotilla-orchestrator Read group flotilla.leader literal
  grant flotilla-orchestrator Write transactional-id flotilla.orchestrator literal
  grant flotilla-orchestrator DescribeConfigs topic flotilla. prefixed
  grant flotilla-auditor Read topic flotilla.inventory. prefixed
  grant flotilla-auditor Read topic flotilla.intents. prefixed
  grant flotilla-auditor Read topic flotilla.status. prefixed
  grant flotilla-auditor Read topic flotilla.commands. prefixed
  grant flotilla-auditor Read topic flotilla.progress. prefixed
  grant flotilla-auditor Read topic flotilla.campaigns literal
  grant flotilla-auditor Read topic flotilla.orders literal
  grant flotilla-auditor Read topic flotilla.approvals literal
  grant flotilla-auditor Read topic flotilla.freezes literal
  grant flotilla-auditor Read topic flotilla.auditor-orders literal
  grant flotilla-auditor Read topic flotilla.policies literal
  grant flotilla-auditor Read topic flotilla.campaign-status literal
  grant flotilla-auditor Read topic flotilla.head literal
  grant flotilla-auditor Read topic flotilla.journal literal
  grant flotilla-auditor Read topic flotilla.rejected literal
  grant flotilla-auditor Read topic flotilla.leader literal
  grant flotilla-auditor Write topic flotilla.auditor-orders literal
  grant flotilla-campaign-author Read topic flotilla.inventory. prefixed
  grant flotilla-campaign-author Read topic flotilla.status. prefixed
  grant flotilla-campaign-author Read topic flotilla.campaigns literal
  grant flotilla-campaign-author Read topic flotilla.orders literal
  grant flotilla-campaign-author Read topic flotilla.approvals literal
  grant flotilla-campaign-author Read topic flotilla.freezes literal
  grant flotilla-campaign-author Read topic flotilla.auditor-orders literal
  grant flotilla-campaign-author Read topic flotilla.policies literal
  grant flotilla-campaign-author Read topic flotilla.campaign-status literal
  grant flotilla-campaign-author Read topic flotilla.head literal
  grant flotilla-campaign-author Read topic flotilla.journal literal
  grant flotilla-campaign-author Read topic flotilla.rejected literal
  grant flotilla-campaign-author Describe group flotilla.leader literal
  grant flotilla-campaign-author Write topic flotilla.campaigns literal
  grant flotilla-operator Read topic flotilla.inventory. prefixed
  grant flotilla-operator Read topic flotilla.status. prefixed
  grant flotilla-operator Read topic flotilla.campaigns literal
  grant flotilla-operator Read topic flotilla.orders literal
  grant flotilla-operator Read topic flotilla.approvals literal
  grant flotilla-operator Read topic flotilla.freezes literal
  grant flotilla-operator Read topic flotilla.auditor-orders literal
  grant flotilla-operator Read topic flotilla.policies literal
  grant flotilla-operator Read topic flotilla.campaign-status literal
  grant flotilla-operator Read topic flotilla.head literal
  grant flotilla-operator Read topic flotilla.journal literal
  grant flotilla-operator Read topic flotilla.rejected literal
  grant flotilla-operator Describe group flotilla.leader literal
  grant flotilla-operator Write topic flotilla.orders literal
  grant flotilla-approver Read topic flotilla.inventory. prefixed
  grant flotilla-approver Read topic flotilla.status. prefixed
  grant flotilla-approver Read topic flotilla.campaigns literal
  grant flotilla-approver Read topic flotilla.orders literal
  grant flotilla-approver Read topic flotilla.approvals literal
  grant flotilla-approver Read topic flotilla.freezes literal
  grant flotilla-approver Read topic flotilla.auditor-orders literal
  grant flotilla-approver Read topic flotilla.policies literal
  grant flotilla-approver Read topic flotilla.campaign-status literal
  grant flotilla-approver Read topic flotilla.head literal
  grant flotilla-approver Read topic flotilla.journal literal
  grant flotilla-approver Read topic flotilla.rejected literal
  grant flotilla-approver Describe group flotilla.leader literal
  grant flotilla-approver Write topic flotilla.approvals literal
  grant flotilla-freezer Read topic flotilla.inventory. prefixed
  grant flotilla-freezer Read topic flotilla.status. prefixed
  grant flotilla-freezer Read topic flotilla.campaigns literal
  grant flotilla-freezer Read topic flotilla.orders literal
  grant flotilla-freezer Read topic flotilla.approvals literal
  grant flotilla-freezer Read topic flotilla.freezes literal
  grant flotilla-freezer Read topic flotilla.auditor-orders literal
  grant flotilla-freezer Read topic flotilla.policies literal
  grant flotilla-freezer Read topic flotilla.campaign-status literal
  grant flotilla-freezer Read topic flotilla.head literal
  grant flotilla-freezer Read topic flotilla.journal literal
  grant flotilla-freezer Read topic flotilla.rejected literal
  grant flotilla-freezer Describe group flotilla.leader literal
  grant flotilla-freezer Write topic flotilla.freezes literal
  grant flotilla-policy-editor Read topic flotilla.inventory. prefixed
  grant flotilla-policy-editor Read topic flotilla.status. prefixed
  grant flotilla-policy-editor Read topic flotilla.campaigns literal
  grant flotilla-policy-editor Read topic flotilla.orders literal
  grant flotilla-policy-editor Read topic flotilla.approvals literal
  grant flotilla-policy-editor Read topic flotilla.freezes literal
  grant flotilla-policy-editor Read topic flotilla.auditor-orders literal
  grant flotilla-policy-editor Read topic flotilla.policies literal
  grant flotilla-policy-editor Read topic flotilla.campaign-status literal
  grant flotilla-policy-editor Read topic flotilla.head literal
  grant flotilla-policy-editor Read topic flotilla.journal literal
  grant flotilla-policy-editor Read topic flotilla.rejected literal
  grant flotilla-policy-editor Describe group flotilla.leader literal
  grant flotilla-policy-editor Write topic flotilla.policies literal
  grant flotilla-reader Read topic flotilla.inventory. prefixed
  grant flotilla-reader Read topic flotilla.status. prefixed
  grant flotilla-reader Read topic flotilla.campaigns literal
  grant flotilla-reader Read topic flotilla.orders literal
  grant flotilla-reader Read topic flotilla.approvals literal
  grant flotilla-reader Read topic flotilla.freezes literal
  grant flotilla-reader Read topic flotilla.auditor-orders literal
  grant flotilla-reader Read topic flotilla.policies literal
  grant flotilla-reader Read topic flotilla.campaign-status literal
  grant flotilla-reader Read topic flotilla.head literal
  grant flotilla-reader Read topic flotilla.journal literal
  grant flotilla-reader Read topic flotilla.rejected literal
  grant flotilla-reader Describe group flotilla.leader literal
  grant flotilla-campaign-controller Read topic flotilla.campaigns literal
  grant flotilla-campaign-controller Read topic flotilla.policies literal
  grant flotilla-campaign-controller Read topic flotilla.orders literal
  grant flotilla-campaign-controller Read topic flotilla.approvals literal
  grant flotilla-campaign-controller Read topic flotilla.freezes literal
  grant flotilla-campaign-controller Read topic flotilla.campaign-status literal
  grant flotilla-campaign-controller Read topic flotilla.rejected literal
  grant flotilla-campaign-controller Read topic flotilla.head literal
  grant flotilla-campaign-controller Write topic flotilla.campaigns literal
  grant flotilla-campaign-controller Write topic flotilla.policies literal
  grant flotilla-campaign-controller Write topic flotilla.orders literal
  grant flotilla-campaign-controller Write topic flotilla.approvals literal
  grant flotilla-campaign-controller Write topic flotilla.freezes literal
  grant flotilla-topic-administrator Create topic flotilla. prefixed
  grant flotilla-topic-administrator Describe topic flotilla. prefixed
  grant flotilla-topic-administrator AlterConfigs topic flotilla. prefixed
  grant flotilla-topic-administrator Read topic flotilla.head literal
  grant flotilla-topic-administrator Read topic flotilla.journal literal
  grant flotilla-topic-administrator Delete topic flotilla.journal literal
}

site() {
  grant "flotilla-watcher-$1" Read topic "flotilla.inventory.$1" literal
  grant "flotilla-watcher-$1" Read topic "flotilla.intents.$1" literal
  grant "flotilla-watcher-$1" Read topic "flotilla.status.$1" literal
  grant "flotilla-watcher-$1" Write topic "flotilla.inventory.$1" literal
  grant "flotilla-watcher-$1" Write topic "flotilla.intents.$1" literal
  grant "flotilla-watcher-$1" Write transactional-id "flotilla.watcher.$1" literal
  grant "flotilla-worker-$1" Read topic "flotilla.commands.$1" literal
  grant "flotilla-worker-$1" Read topic "flotilla.progress.$1" literal
  grant "flotilla-worker-$1" Write topic "flotilla.progress.$1" literal
  grant "flotilla-worker-$1" Read group "flotilla.worker.$1" literal
  grant "flotilla-worker-$1" Write transactional-id "flotilla.worker.$1." prefixed
}

for name in "$@"; do
  case $name in
    fleet) fleet ;;
    -*) echo "acls.sh: there is no option $name" >&2 && exit 2 ;;
    *) site "$name" ;;
  esac
done
