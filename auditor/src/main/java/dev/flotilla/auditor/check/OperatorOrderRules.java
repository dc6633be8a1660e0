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
 * Whether orders are obeyed, by the orders' own rows: the newest one about a campaign's state holds, an approval is of what the
 * campaign asked for when it was given, and a retry order lifts what was quarantined before it. A tombstone opens nothing that an
 * unreadable record has closed, and lifts no policy.
 */
final class OperatorOrderRules {
    private static final String REJECTED = "rejected";

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;
    private final Map<String, Long> quarantined = new HashMap<>();
    private final Map<Long, Long> retried = new HashMap<>();

    /** Waves that were approved since an edit last changed what there is to do, as uid and name. */
    private final Set<String> approved = new HashSet<>();

    private final Set<Long> pending = new HashSet<>();

    /** Campaigns that have been watched from the first: of the others nobody knows what was approved before. */
    private final Set<Long> watched = new HashSet<>();

    OperatorOrderRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    /** Before the facts of a decision are the rows. */
    void checkBefore(JournalRecord decision) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange.row() instanceof OperatorOrder order
                    && !decision.event().equals(REJECTED)) {
                ordered(decision, rowChange.key().topic(), order);
            } else if (rowChange.row() == null && rowChange.key().topic().isTable("approvals")) {
                withdrawn(rowChange.key().key());
            } else if (rowChange.row() instanceof CampaignStatus campaign) {
                edited(campaign);
            } else if (rowChange.row() instanceof MachineStatus status) {
                entries(decision, status);
            }
            opened(decision, rowChange);
        }
    }

    private void opened(JournalRecord decision, RowChange rowChange) {
        TopicName topicName = rowChange.key().topic();
        String key = rowChange.key().key();
        auditFindings.require(
                rowChange.row() != null || !topicName.isTable("campaign-status") || !key.startsWith("policy/"),
                AuditInvariant.STOP,
                key + " went, and nothing came in its place");
        boolean readable = rowChange.row() == null || (rowChange.row() instanceof RejectedRecord row && row.readable());
        if (topicName.isTable("rejected") && readable && isClosed(key)) {
            auditFindings.require(
                    decision.changes().stream()
                            .anyMatch(other -> other.row() != null
                                    && key.equals(other.key().topic().name() + "/0/"
                                            + other.key().key())),
                    AuditInvariant.STOP,
                    "what the unreadable record " + key + " closed was opened by nothing that can be read");
        }
    }

    /** Whether the newest record of a place cannot be read and closes something so. */
    private boolean isClosed(String place) {
        String[] parts = place.split("/0/", 2);
        TopicName topicName = TopicName.parse(parts[0]);
        return topicName != null
                && parts.length > 1
                && closes(topicName, parts[1])
                && fleetTables.isUnreadable(topicName, parts[1]);
    }

    private static boolean closes(TopicName topicName, String key) {
        boolean ordered =
                topicName.isTable("orders") || topicName.isTable("freezes") || topicName.isTable("auditor-orders");
        return topicName.isTable("policies") || (ordered && (key.endsWith("/freeze") || key.endsWith("/state")));
    }

    /** What is accepted on another topic than the one whose writers may order it counts for nothing. */
    private void ordered(JournalRecord decision, TopicName topicName, OperatorOrder order) {
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

    private void withdrawn(String key) {
        OperatorOrder order = fleetTables.order(key);
        if (order != null && key.contains("/approve/")) {
            approved.remove(order.campaignUid() + "/" + key.substring(key.lastIndexOf('/') + 1));
        }
    }

    private void edited(CampaignStatus now) {
        CampaignStatus before = fleetTables.campaign(now.rollout());
        if (before == null) {
            watched.add(now.uid());
        } else if (!before.spec().withoutSchedule().equals(now.spec().withoutSchedule())) {
            approved.removeIf(wave -> wave.startsWith(now.uid() + "/"));
            if (before.spec().waves().stream().anyMatch(wave -> !wave.approval().equals("none"))) {
                pending.add(now.uid());
            }
        }
    }

    private void entries(JournalRecord decision, MachineStatus now) {
        MachineStatus before = fleetTables.status(now.id());
        for (RolloutEntry rolloutEntry : now.entries()) {
            if (rolloutEntry.rollout() instanceof RolloutRef.CampaignRef campaign) {
                RolloutEntry known = before == null ? null : before.entry(campaign);
                boolean was = known != null && known.isQuarantined();
                String place = now.id() + " " + now.uid() + " " + campaign.uid();
                if (rolloutEntry.isQuarantined() && !was) {
                    quarantined.put(place, decision.seq());
                } else if (was && !rolloutEntry.hasEnded()) {
                    Long since = quarantined.get(place);
                    auditFindings.require(
                            since == null || retried.getOrDefault(campaign.uid(), 0L) > since,
                            AuditInvariant.GATES,
                            now.id() + " was quarantined by decision " + since
                                    + " and goes again without a retry order since");
                }
            }
        }
    }

    /** A machine starts in a wave; a control plane that is half done goes on without. */
    void start(String machine, CampaignStatus campaign, String name) {
        for (CampaignSpec.Wave wave : campaign.spec().waves()) {
            if (wave.name().equals(name)) {
                start(machine, campaign, wave);
            }
        }
    }

    private void start(String machine, CampaignStatus campaign, CampaignSpec.Wave wave) {
        if (watched.contains(campaign.uid())) {
            auditFindings.require(
                    !pending.contains(campaign.uid()),
                    AuditInvariant.GATES,
                    machine + " started in campaign " + campaign.name() + ", whose edit nobody has approved");
            auditFindings.require(
                    !wave.approval().equals("before") || approved.contains(campaign.uid() + "/" + wave.name()),
                    AuditInvariant.GATES,
                    machine + " started in wave " + wave.name() + ", which nobody has approved in this edition");
        }
    }

    /** After the facts of a decision have become the rows. */
    void checkAfter(JournalRecord decision) {
        for (RowChange rowChange : decision.changes()) {
            String key = rowChange.key().key();
            if (rowChange.row() instanceof OperatorOrder && key.endsWith("/state")) {
                state(key.substring(0, key.indexOf('/')));
            } else if (rowChange.row() instanceof CampaignStatus campaign) {
                state(campaign.name());
            }
        }
    }

    private void state(String name) {
        OperatorOrder order = fleetTables.order(name + "/state");
        if (order == null) {
            return;
        }
        for (CampaignStatus campaign : fleetTables.campaigns()) {
            boolean its = campaign.name().equals(name) && campaign.uid() == order.campaignUid();
            auditFindings.require(
                    !its || order.verb().equals("run") || !campaign.isRunning(),
                    AuditInvariant.STOP,
                    "campaign " + name + " runs, and the newest order about it is to " + order.verb());
        }
    }
}
