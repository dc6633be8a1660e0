package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignSpec;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.OperatorOrder;
import dev.flotilla.auditor.wire.RejectedRecord;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.TopicName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Checks that orders are obeyed, by the orders' own rows: the newest order about a campaign's state is in force, an
 * approval is for the content that it was given for, and a retry order releases machines that were quarantined before
 * it. A tombstone neither ends the effect of an unreadable record nor removes a policy.
 */
final class OperatorOrderRules {
    private static final String REJECTED = "rejected";

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;
    private final Map<String, Long> quarantined = new HashMap<>();
    private final Map<Long, Long> retried = new HashMap<>();

    /** Waves, as uid and name, that were approved since the campaign's content last changed. */
    private final Set<String> approved = new HashSet<>();

    private final Set<Long> pending = new HashSet<>();

    /** Campaigns that were audited from their start; earlier approvals of others are not known. */
    private final Set<Long> auditedFromStart = new HashSet<>();

    OperatorOrderRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    /** Checks the decision's changes before they become rows. */
    void checkBefore(JournalRecord decision) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange.row() instanceof OperatorOrder order
                    && !decision.event().equals(REJECTED)) {
                recordOrder(decision, rowChange.key().topic(), order);
            } else if (rowChange.row() == null && rowChange.key().topic().isTable("approvals")) {
                recordWithdrawnApproval(rowChange.key().key());
            } else if (rowChange.row() instanceof CampaignStatus campaign) {
                recordEdit(campaign);
            } else if (rowChange.row() instanceof MachineStatus status) {
                checkEntries(decision, status);
            }
            checkUnblocked(decision, rowChange);
        }
    }

    private void checkUnblocked(JournalRecord decision, RowChange rowChange) {
        TopicName topicName = rowChange.key().topic();
        String key = rowChange.key().key();
        auditFindings.require(
                rowChange.row() != null || !topicName.isTable("campaign-status") || !key.startsWith("policy/"),
                AuditInvariant.STOP,
                key + " was deleted without a replacement");
        boolean readable = rowChange.row() == null || (rowChange.row() instanceof RejectedRecord row && row.readable());
        if (topicName.isTable("rejected") && readable && isBlocking(key)) {
            auditFindings.require(
                    decision.changes().stream()
                            .anyMatch(other -> other.row() != null
                                    && key.equals(other.key().topic().name() + "/0/"
                                            + other.key().key())),
                    AuditInvariant.STOP,
                    "the block by the unreadable record " + key + " ended without a readable record");
        }
    }

    /** Whether the newest record of a key is unreadable and therefore blocks its scope. */
    private boolean isBlocking(String recordKey) {
        String[] parts = recordKey.split("/0/", 2);
        TopicName topicName = TopicName.parse(parts[0]);
        return topicName != null
                && parts.length > 1
                && blocksScope(topicName, parts[1])
                && fleetTables.isUnreadable(topicName, parts[1]);
    }

    private static boolean blocksScope(TopicName topicName, String key) {
        boolean ordered =
                topicName.isTable("orders") || topicName.isTable("freezes") || topicName.isTable("auditor-orders");
        return topicName.isTable("policies") || (ordered && (key.endsWith("/freeze") || key.endsWith("/state")));
    }

    /** An order in another topic than the one of its authorised writers has no effect. */
    private void recordOrder(JournalRecord decision, TopicName topicName, OperatorOrder order) {
        if (!topicName.isTable(OperatorOrder.homeOf(order.order()))) {
            return;
        }
        if (order.verb().equals("retry")) {
            retried.put(order.campaignUid(), decision.seq());
        } else if (order.order().contains("/approve/")) {
            String wave = order.order().substring(order.order().lastIndexOf('/') + 1);
            approved.add(order.campaignUid() + "/" + wave);
            pending.remove(order.campaignUid());
        }
    }

    private void recordWithdrawnApproval(String key) {
        OperatorOrder order = fleetTables.order(key);
        if (order != null && key.contains("/approve/")) {
            approved.remove(order.campaignUid() + "/" + key.substring(key.lastIndexOf('/') + 1));
        }
    }

    private void recordEdit(CampaignStatus now) {
        CampaignStatus before = fleetTables.campaign(now.rollout());
        if (before == null) {
            auditedFromStart.add(now.uid());
        } else if (!before.spec().withoutSchedule().equals(now.spec().withoutSchedule())) {
            approved.removeIf(wave -> wave.startsWith(now.uid() + "/"));
            if (before.spec().waves().stream().anyMatch(wave -> !wave.approval().equals("none"))) {
                pending.add(now.uid());
            }
        }
    }

    private void checkEntries(JournalRecord decision, MachineStatus now) {
        MachineStatus before = fleetTables.status(now.id());
        for (RolloutEntry rolloutEntry : now.entries()) {
            if (rolloutEntry.rollout() instanceof RolloutRef.CampaignRef campaign) {
                RolloutEntry known = before == null ? null : before.entry(campaign);
                boolean wasQuarantined = known != null && known.isQuarantined();
                String recordKey = now.id() + " " + now.uid() + " " + campaign.uid();
                if (rolloutEntry.isQuarantined() && !wasQuarantined) {
                    quarantined.put(recordKey, decision.seq());
                } else if (wasQuarantined && !rolloutEntry.hasEnded()) {
                    Long since = quarantined.get(recordKey);
                    auditFindings.require(
                            since == null || retried.getOrDefault(campaign.uid(), 0L) > since,
                            AuditInvariant.GATES,
                            now.id() + " was quarantined by decision " + since
                                    + " and is open again without a later retry order");
                }
            }
        }
    }

    /** Checks the approvals for a start in a wave; the rest of a control plane that has started needs none. */
    void checkStart(String machine, CampaignStatus campaign, String name) {
        for (CampaignSpec.Wave wave : campaign.spec().waves()) {
            if (wave.name().equals(name)) {
                checkStart(machine, campaign, wave);
            }
        }
    }

    private void checkStart(String machine, CampaignStatus campaign, CampaignSpec.Wave wave) {
        if (auditedFromStart.contains(campaign.uid())) {
            auditFindings.require(
                    !pending.contains(campaign.uid()),
                    AuditInvariant.GATES,
                    machine + " started in campaign " + campaign.name() + ", whose edit is not approved");
            auditFindings.require(
                    !wave.approval().equals("before") || approved.contains(campaign.uid() + "/" + wave.name()),
                    AuditInvariant.GATES,
                    machine + " started in wave " + wave.name() + ", which is not approved for this content");
        }
    }

    /** Checks the rows after the decision's changes became rows. */
    void checkAfter(JournalRecord decision) {
        for (RowChange rowChange : decision.changes()) {
            String key = rowChange.key().key();
            if (rowChange.row() instanceof OperatorOrder && key.endsWith("/state")) {
                checkState(key.substring(0, key.indexOf('/')));
            } else if (rowChange.row() instanceof CampaignStatus campaign) {
                checkState(campaign.name());
            }
        }
    }

    private void checkState(String name) {
        OperatorOrder order = fleetTables.order(name + "/state");
        if (order == null) {
            return;
        }
        for (CampaignStatus campaign : fleetTables.campaigns()) {
            boolean applies = campaign.name().equals(name) && campaign.uid() == order.campaignUid();
            auditFindings.require(
                    !applies || order.verb().equals("run") || !campaign.isRunning(),
                    AuditInvariant.STOP,
                    "campaign " + name + " runs, but the newest order about it is " + order.verb());
        }
    }
}
