package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.Fact;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.OrderRow;
import dev.flotilla.auditor.wire.RejectedRow;
import dev.flotilla.auditor.wire.Spec;
import dev.flotilla.auditor.wire.Topic;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Whether orders are obeyed, by the orders' own rows: the newest one about a campaign's state holds, an approval is of what the
 * campaign asked for when it was given, and a retry order lifts what was quarantined before it. A tombstone opens nothing that an
 * unreadable record has closed, and lifts no policy.
 */
final class OrderRules {
    private static final String REJECTED = "rejected";

    private final Fleet fleet;
    private final Findings findings;
    private final Map<String, Long> quarantined = new HashMap<>();
    private final Map<Long, Long> retried = new HashMap<>();

    /** Waves that were approved since an edit last changed what there is to do, as uid and name. */
    private final Set<String> approved = new HashSet<>();

    private final Set<Long> pending = new HashSet<>();

    /** Campaigns that have been watched from the first: of the others nobody knows what was approved before. */
    private final Set<Long> watched = new HashSet<>();

    OrderRules(Fleet fleet, Findings findings) {
        this.fleet = fleet;
        this.findings = findings;
    }

    /** Before the facts of a decision are the rows. */
    void before(JournalRecord decision) {
        for (Fact fact : decision.facts()) {
            if (fact.row() instanceof OrderRow order && !decision.event().equals(REJECTED)) {
                ordered(decision, fact.place().topic(), order);
            } else if (fact.row() == null && fact.place().topic().is("approvals")) {
                withdrawn(fact.place().key());
            } else if (fact.row() instanceof CampaignStatus campaign) {
                edited(campaign);
            } else if (fact.row() instanceof MachineStatus status) {
                entries(decision, status);
            }
            opened(decision, fact);
        }
    }

    private void opened(JournalRecord decision, Fact fact) {
        Topic topic = fact.place().topic();
        String key = fact.place().key();
        findings.require(
                fact.row() != null || !topic.is("campaign-status") || !key.startsWith("policy/"),
                Invariant.STOP,
                key + " went, and nothing came in its place");
        boolean readable = fact.row() == null || (fact.row() instanceof RejectedRow row && row.readable());
        if (topic.is("rejected") && readable && isClosed(key)) {
            findings.require(
                    decision.facts().stream()
                            .anyMatch(other -> other.row() != null
                                    && key.equals(other.place().topic().name() + "/0/"
                                            + other.place().key())),
                    Invariant.STOP,
                    "what the unreadable record " + key + " closed was opened by nothing that can be read");
        }
    }

    /** Whether the newest record of a place cannot be read and closes something so. */
    private boolean isClosed(String place) {
        String[] parts = place.split("/0/", 2);
        Topic topic = Topic.parse(parts[0]);
        return topic != null && parts.length > 1 && closes(topic, parts[1]) && fleet.isUnreadable(topic, parts[1]);
    }

    private static boolean closes(Topic topic, String key) {
        boolean ordered = topic.is("orders") || topic.is("freezes") || topic.is("auditor-orders");
        return topic.is("policies") || (ordered && (key.endsWith("/freeze") || key.endsWith("/state")));
    }

    /** What is accepted on another topic than the one whose writers may order it counts for nothing. */
    private void ordered(JournalRecord decision, Topic topic, OrderRow order) {
        if (!topic.is(OrderRow.homeOf(order.order()))) {
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
        OrderRow order = fleet.order(key);
        if (order != null && key.contains("/approve/")) {
            approved.remove(order.campaignUid() + "/" + key.substring(key.lastIndexOf('/') + 1));
        }
    }

    private void edited(CampaignStatus now) {
        CampaignStatus before = fleet.campaign(now.driver());
        if (before == null) {
            watched.add(now.uid());
        } else if (!before.spec().work().equals(now.spec().work())) {
            approved.removeIf(wave -> wave.startsWith(now.uid() + "/"));
            if (before.spec().waves().stream().anyMatch(wave -> !wave.approval().equals("none"))) {
                pending.add(now.uid());
            }
        }
    }

    private void entries(JournalRecord decision, MachineStatus now) {
        MachineStatus before = fleet.status(now.id());
        for (Entry entry : now.entries()) {
            if (entry.driver() instanceof Driver.OfCampaign campaign) {
                Entry known = before == null ? null : before.entry(campaign);
                boolean was = known != null && known.quarantined();
                String place = now.id() + " " + now.uid() + " " + campaign.uid();
                if (entry.quarantined() && !was) {
                    quarantined.put(place, decision.seq());
                } else if (was && !entry.ended()) {
                    Long since = quarantined.get(place);
                    findings.require(
                            since == null || retried.getOrDefault(campaign.uid(), 0L) > since,
                            Invariant.GATES,
                            now.id() + " was quarantined by decision " + since
                                    + " and goes again without a retry order since");
                }
            }
        }
    }

    /** A machine starts in a wave; a control plane that is half done goes on without. */
    void start(String machine, CampaignStatus campaign, String name) {
        for (Spec.Wave wave : campaign.spec().waves()) {
            if (wave.name().equals(name)) {
                start(machine, campaign, wave);
            }
        }
    }

    private void start(String machine, CampaignStatus campaign, Spec.Wave wave) {
        if (watched.contains(campaign.uid())) {
            findings.require(
                    !pending.contains(campaign.uid()),
                    Invariant.GATES,
                    machine + " started in campaign " + campaign.name() + ", whose edit nobody has approved");
            findings.require(
                    !wave.approval().equals("before") || approved.contains(campaign.uid() + "/" + wave.name()),
                    Invariant.GATES,
                    machine + " started in wave " + wave.name() + ", which nobody has approved in this edition");
        }
    }

    /** After the facts of a decision have become the rows. */
    void after(JournalRecord decision) {
        for (Fact fact : decision.facts()) {
            String key = fact.place().key();
            if (fact.row() instanceof OrderRow && key.endsWith("/state")) {
                state(key.substring(0, key.indexOf('/')));
            } else if (fact.row() instanceof CampaignStatus campaign) {
                state(campaign.name());
            }
        }
    }

    private void state(String name) {
        OrderRow order = fleet.order(name + "/state");
        if (order == null) {
            return;
        }
        for (CampaignStatus campaign : fleet.campaigns()) {
            boolean its = campaign.name().equals(name) && campaign.uid() == order.campaignUid();
            findings.require(
                    !its || order.verb().equals("run") || !campaign.runs(),
                    Invariant.STOP,
                    "campaign " + name + " runs, and the newest order about it is to " + order.verb());
        }
    }
}
