package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Dependencies;
import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.FleetHead;
import dev.flotilla.auditor.wire.Heartbeat;
import dev.flotilla.auditor.wire.Intent;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.SiteHead;
import dev.flotilla.auditor.wire.Topic;
import dev.flotilla.auditor.wire.WaveStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What forbids a start without counting anything. */
final class GateRules {
    private static final Topic ORDERS = new Topic("orders", "");
    private static final List<Topic> FREEZES =
            List.of(new Topic("freezes", ""), new Topic("auditor-orders", ""), ORDERS);
    private static final Topic POLICIES = new Topic("policies", "");

    private final Fleet fleet;
    private final OrderRules orders;
    private final Findings findings;
    private final Dependencies dependencies;
    private final OverlapRules overlaps;

    GateRules(Fleet fleet, Findings findings, OrderRules orders) {
        this.orders = orders;
        this.fleet = fleet;
        this.findings = findings;
        this.dependencies = new Dependencies(fleet);
        this.overlaps = new OverlapRules(fleet);
    }

    void check(Start start) {
        MachineRow machine = start.machine();
        findings.require(
                !fleet.frozen(machine.site()), Invariant.STOP, machine.id() + " started while its site is frozen");
        FleetHead head = fleet.head();
        forbid(start, head == null || !head.clockAgrees(), "while the clocks disagree");
        site(start, machine.site());
        ClusterRow cluster = fleet.cluster(machine.cluster());
        forbid(start, cluster == null || cluster.paused() || cluster.hold(), "in a paused, held or unknown cluster");
        forbid(start, machine.hold() || machine.paused(), "on hold or paused");
        forbid(start, machine.deleting() || !machine.hasNode(), "that is being deleted or has no node");
        forbid(start, !machine.activities().isEmpty(), "that somebody else is busy with");
        forbid(start, machine.optOut(), "that opted out");
        forbid(start, !machine.uid().equals(start.status().uid()), "of another uid");
        forbid(start, fleet.yields(machine), "whose node another site upgrades or has upgraded");
        Entry before = start.before() == null
                ? null
                : start.before().entry(start.attempt().driver());
        if (before != null) {
            Long retryAt = before.retryAt();
            forbid(start, retryAt != null && start.at() < retryAt, "before its backoff is over");
            forbid(start, before.ended(), "that had ended in what drives it");
        }
        forbid(start, mayBeStopped(machine.site(), start.campaign()), "that an unreadable record may stop");
        if (start.campaign() != null) {
            campaign(start, start.campaign());
        } else {
            forbid(start, start.attempt().driver() instanceof Driver.OfCampaign, "for a campaign that is not there");
        }
        intent(start, fleet.members().firstIntent(machine));
    }

    /** An annotation goes before every campaign, but for a campaign that has begun the machine's control plane. */
    private void intent(Start start, @Nullable Intent first) {
        Driver driver = start.attempt().driver();
        if (driver instanceof Driver.OfIntent) {
            forbid(
                    start,
                    first == null
                            || !first.driver().equals(driver)
                            || !first.option().equals(start.attempt().target()),
                    "for " + driver + " to " + start.attempt().target() + ", while its turn has " + first);
        } else {
            forbid(
                    start,
                    first != null && !start.machine().controlPlane(),
                    "for " + driver + ", while its turn has " + first);
        }
    }

    private void site(Start start, String site) {
        SiteHead head = fleet.siteHead(site);
        Heartbeat heartbeat = fleet.heartbeat(site);
        forbid(start, heartbeat == null || (head != null && head.silent()), "in a silent site");
        forbid(start, fleet.isAside(site), "in an unreachable site");
        forbid(start, heartbeat != null && heartbeat.missing() > 0, "while a mass removal waits");
    }

    private void forbid(Start start, boolean forbidden, String what) {
        findings.require(!forbidden, Invariant.GATES, start.machine().id() + " started: a machine " + what);
    }

    /** Whether a record that might say "stop" cannot be read, so that nobody knows whether it does. */
    private boolean mayBeStopped(String site, @Nullable CampaignStatus campaign) {
        return FREEZES.stream()
                        .anyMatch(topic -> fleet.isUnreadable(topic, "fleet/freeze")
                                || fleet.isUnreadable(topic, "site/" + site + "/freeze"))
                || (fleet.policy(site) == null && fleet.isUnreadable(POLICIES, site))
                || (campaign != null && fleet.isUnreadable(ORDERS, campaign.name() + "/state"));
    }

    private void campaign(Start start, CampaignStatus campaign) {
        MachineRow machine = start.machine();
        Driver driver = start.attempt().driver();
        boolean begun = machine.controlPlane() && fleet.members().controlPlaneBegun(machine, driver);
        findings.require(
                campaign.runs(),
                Invariant.STOP,
                machine.id() + " started while campaign " + campaign.name() + " is " + campaign.state());
        Long startAt = campaign.spec().startAt();
        Long deadline = campaign.spec().deadline();
        forbid(start, startAt != null && start.at() < startAt, "before its campaign's start");
        forbid(start, !begun && deadline != null && start.at() > deadline, "after its campaign's deadline");
        forbid(start, !fleet.members().selected(machine, driver), "that its campaign does not select");
        forbid(
                start,
                !begun && !campaign.spec().dependsOn().isEmpty() && !dependencies.met(campaign),
                "of a campaign that waits for another");
        String earlier = begun ? null : overlaps.before(campaign, start.at());
        forbid(start, earlier != null, "of a campaign that overlaps with the earlier " + earlier);
        for (CampaignStatus other : fleet.campaigns()) {
            forbid(
                    start,
                    !machine.controlPlane()
                            && goesBefore(other, campaign, start.at())
                            && wants(other, machine)
                            && claims(other, start.at()),
                    "that is campaign " + other.name() + "'s, not " + campaign.name() + "'s");
        }
        Entry entry = start.status().entry(driver);
        forbid(start, entry == null, "without an entry for its campaign");
        if (entry != null && !begun) {
            WaveStatus wave = fleet.wave(campaign, entry.wave());
            forbid(start, wave == null || !wave.opened(), "whose wave " + entry.wave() + " has not begun");
            orders.start(machine.id(), campaign, entry.wave());
        }
    }

    /** Whether a campaign has the first word about what it selects. */
    private static boolean goesBefore(CampaignStatus other, CampaignStatus campaign, long at) {
        long priority = other.spec().priority() - campaign.spec().priority();
        Long startAt = other.spec().startAt();
        Long deadline = other.spec().deadline();
        return !other.over()
                && (startAt == null || at >= startAt)
                && (deadline == null || at < deadline)
                && (priority > 0 || (priority == 0 && other.uid() < campaign.uid()));
    }

    /** Whether it waits for nobody else; where a record cannot be read, it cannot be told for sure. */
    private boolean claims(CampaignStatus other, long at) {
        return overlaps.before(other, at) == null
                && (other.spec().dependsOn().isEmpty() || (!fleet.anyUnreadable() && dependencies.met(other)));
    }

    private boolean wants(CampaignStatus other, MachineRow machine) {
        var status = fleet.status(machine.id());
        Entry entry = status == null ? null : status.entry(other.driver());
        return fleet.members().selected(machine, other.driver()) && (entry == null || !entry.ended());
    }
}
