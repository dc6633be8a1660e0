package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.CampaignDependencies;
import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.FleetHead;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.SiteHead;
import dev.flotilla.auditor.wire.TopicName;
import dev.flotilla.auditor.wire.UpgradeIntent;
import dev.flotilla.auditor.wire.WatcherHeartbeat;
import dev.flotilla.auditor.wire.WaveStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the gates of a start that are not counts. */
final class StartGateRules {
    private static final TopicName ORDERS = new TopicName("orders", "");
    private static final List<TopicName> FREEZES =
            List.of(new TopicName("freezes", ""), new TopicName("auditor-orders", ""), ORDERS);
    private static final TopicName POLICIES = new TopicName("policies", "");

    private final FleetTables fleetTables;
    private final OperatorOrderRules orders;
    private final AuditFindings auditFindings;
    private final CampaignDependencies campaignDependencies;
    private final CampaignOverlapRules overlaps;
    private final ClusterUpgradeRules clusterUpgrades;

    StartGateRules(FleetTables fleetTables, AuditFindings auditFindings, OperatorOrderRules orders) {
        this.orders = orders;
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
        this.campaignDependencies = new CampaignDependencies(fleetTables);
        this.overlaps = new CampaignOverlapRules(fleetTables);
        this.clusterUpgrades = new ClusterUpgradeRules(fleetTables, auditFindings);
    }

    void check(StartDecision startDecision) {
        MachineRow machine = startDecision.machine();
        auditFindings.require(
                !fleetTables.isFrozen(machine.site()),
                AuditInvariant.STOP,
                machine.id() + " started while its site is frozen");
        FleetHead head = fleetTables.head();
        forbid(startDecision, head == null || !head.clockInSync(), "while the clocks differ");
        checkSite(startDecision, machine.site());
        ClusterRow cluster = fleetTables.cluster(machine.cluster());
        forbid(
                startDecision,
                cluster == null || cluster.paused() || cluster.hold(),
                "in a paused, held or unknown cluster");
        forbid(startDecision, machine.hold() || machine.paused(), "on hold or paused");
        forbid(startDecision, machine.deleting() || !machine.hasNode(), "that is being deleted or has no node");
        forbid(startDecision, !machine.activities().isEmpty(), "that another controller is upgrading");
        forbid(startDecision, machine.optOut(), "that opted out");
        forbid(startDecision, !machine.uid().equals(startDecision.status().uid()), "of another uid");
        forbid(
                startDecision,
                fleetTables.hasUpgradedDuplicate(machine),
                "whose node another site upgrades or has upgraded");
        RolloutEntry before = startDecision.previousStatus() == null
                ? null
                : startDecision.previousStatus().entry(startDecision.attempt().rollout());
        if (before != null) {
            Long retryAt = before.retryAt();
            forbid(startDecision, retryAt != null && startDecision.decidedAt() < retryAt, "before its backoff is over");
            forbid(startDecision, before.hasEnded(), "that had ended in its rollout");
        }
        forbid(
                startDecision,
                mayBeStopped(machine.site(), startDecision.campaign()),
                "that an unreadable record may stop");
        if (startDecision.campaign() != null) {
            checkCampaign(startDecision, startDecision.campaign());
        } else {
            forbid(
                    startDecision,
                    startDecision.attempt().rollout() instanceof RolloutRef.CampaignRef,
                    "for a campaign that does not exist");
        }
        forbid(
                startDecision,
                !fleetTables
                        .policies()
                        .canApply(machine, startDecision.attempt().target()),
                "whose provider is " + fleetTables.policies().providerOf(machine) + ", to "
                        + startDecision.attempt().target());
        forbid(
                startDecision,
                !fleetTables
                        .policies()
                        .allowsPath(machine, startDecision.attempt().target()),
                "whose site's policy does not allow " + startDecision.attempt().target());
        clusterUpgrades.checkStart(startDecision);
        checkIntent(startDecision, fleetTables.membership().firstIntent(machine));
    }

    /** An intent comes before every campaign, except a campaign that has started the machine's control plane. */
    private void checkIntent(StartDecision startDecision, @Nullable UpgradeIntent first) {
        RolloutRef rolloutRef = startDecision.attempt().rollout();
        if (rolloutRef instanceof RolloutRef.IntentRef) {
            forbid(
                    startDecision,
                    first == null
                            || !first.rollout().equals(rolloutRef)
                            || !first.target().equals(startDecision.attempt().target()),
                    "for " + rolloutRef + " to " + startDecision.attempt().target() + describeFirst(first));
        } else {
            forbid(
                    startDecision,
                    first != null
                            && !startDecision.machine().controlPlane()
                            && !ClusterUpgradeRules.goesBeforeIntent(fleetTables, startDecision.machine(), rolloutRef),
                    "for " + rolloutRef + describeFirst(first));
        }
    }

    private static String describeFirst(@Nullable UpgradeIntent first) {
        return first == null ? ", but it has no intent" : ", but its first intent is " + first;
    }

    private void checkSite(StartDecision startDecision, String site) {
        SiteHead head = fleetTables.siteHead(site);
        WatcherHeartbeat watcherHeartbeat = fleetTables.heartbeat(site);
        forbid(startDecision, watcherHeartbeat == null || (head != null && head.silent()), "in a silent site");
        forbid(startDecision, fleetTables.isSuspended(site), "in an unreachable site");
        forbid(
                startDecision,
                watcherHeartbeat != null && watcherHeartbeat.withheldRemovals() > 0,
                "while a mass removal is withheld");
    }

    private void forbid(StartDecision startDecision, boolean forbidden, String what) {
        auditFindings.require(
                !forbidden, AuditInvariant.GATES, startDecision.machine().id() + " started: a machine " + what);
    }

    /** Whether an unreadable record might be a stop order or freeze. */
    private boolean mayBeStopped(String site, @Nullable CampaignStatus campaign) {
        return FREEZES.stream()
                        .anyMatch(topicName -> fleetTables.isUnreadable(topicName, "fleet/freeze")
                                || fleetTables.isUnreadable(topicName, "site/" + site + "/freeze"))
                || (fleetTables.policy(site) == null && fleetTables.isUnreadable(POLICIES, site))
                || (campaign != null && fleetTables.isUnreadable(ORDERS, campaign.name() + "/state"));
    }

    private void checkCampaign(StartDecision startDecision, CampaignStatus campaign) {
        MachineRow machine = startDecision.machine();
        RolloutRef rolloutRef = startDecision.attempt().rollout();
        boolean controlPlaneStarted =
                machine.controlPlane() && fleetTables.membership().hasStartedControlPlane(machine, rolloutRef);
        auditFindings.require(
                campaign.isRunning(),
                AuditInvariant.STOP,
                machine.id() + " started while campaign " + campaign.name() + " is " + campaign.state());
        Long startAt = campaign.spec().startAt();
        Long deadline = campaign.spec().deadline();
        forbid(startDecision, startAt != null && startDecision.decidedAt() < startAt, "before its campaign's start");
        forbid(
                startDecision,
                !controlPlaneStarted && deadline != null && startDecision.decidedAt() > deadline,
                "after its campaign's deadline");
        forbid(
                startDecision,
                !fleetTables.membership().isSelected(machine, rolloutRef),
                "that its campaign does not select");
        forbid(
                startDecision,
                !controlPlaneStarted
                        && !campaign.spec().dependsOn().isEmpty()
                        && !campaignDependencies.areMet(campaign),
                "of a campaign that waits for another");
        String earlier = controlPlaneStarted ? null : overlaps.findEarlierCampaign(campaign, startDecision.decidedAt());
        forbid(startDecision, earlier != null, "of a campaign that overlaps with the earlier " + earlier);
        for (CampaignStatus other : fleetTables.campaigns()) {
            forbid(
                    startDecision,
                    !machine.controlPlane()
                            && !clusterUpgrades.isUpdatedInPlace(machine)
                            && hasPrecedence(other, campaign, startDecision.decidedAt())
                            && targets(other, machine)
                            && claims(other, startDecision.decidedAt()),
                    "that is campaign " + other.name() + "'s, not " + campaign.name() + "'s");
        }
        RolloutEntry rolloutEntry = startDecision.status().entry(rolloutRef);
        forbid(startDecision, rolloutEntry == null, "without an entry for its campaign");
        if (rolloutEntry != null && !controlPlaneStarted) {
            WaveStatus wave = fleetTables.wave(campaign, rolloutEntry.wave());
            forbid(startDecision, wave == null || !wave.opened(), "whose wave " + rolloutEntry.wave() + " is not open");
            orders.checkStart(machine.id(), campaign, rolloutEntry.wave());
        }
    }

    /** Whether a campaign has precedence for the machines that it selects. */
    private static boolean hasPrecedence(CampaignStatus other, CampaignStatus campaign, long at) {
        long priority = other.spec().priority() - campaign.spec().priority();
        Long startAt = other.spec().startAt();
        Long deadline = other.spec().deadline();
        return !other.isOver()
                && (startAt == null || at >= startAt)
                && (deadline == null || at < deadline)
                && (priority > 0 || (priority == 0 && other.uid() < campaign.uid()));
    }

    /** Whether the campaign waits for no other one; with an unreadable record this is not certain. */
    private boolean claims(CampaignStatus other, long at) {
        return overlaps.findEarlierCampaign(other, at) == null
                && (other.spec().dependsOn().isEmpty()
                        || (!fleetTables.anyUnreadable() && campaignDependencies.areMet(other)));
    }

    private boolean targets(CampaignStatus other, MachineRow machine) {
        var status = fleetTables.status(machine.id());
        RolloutEntry rolloutEntry = status == null ? null : status.entry(other.rollout());
        return fleetTables.membership().isSelected(machine, other.rollout())
                && fleetTables.policies().canApply(machine, other.spec().target())
                && (rolloutEntry == null || !rolloutEntry.hasEnded());
    }
}
