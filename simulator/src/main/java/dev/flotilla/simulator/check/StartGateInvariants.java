package dev.flotilla.simulator.check;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;

/** What forbids a start other than counts. */
final class StartGateInvariants {
    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;
    private final RolloutMembers rolloutMembers;
    private final RolloutPrecedenceInvariants intents;
    private final CampaignDependencies campaignDependencies;
    private final VersionSkewInvariants versions;
    private final CampaignOverlapInvariants overlaps;
    private final CampaignPolicyInvariants policies;

    StartGateInvariants(
            ReferenceFleetState rows,
            ViolationLog violationLog,
            RolloutMembers rolloutMembers,
            CampaignPolicyInvariants mandates) {
        this.rows = rows;
        this.violationLog = violationLog;
        this.rolloutMembers = rolloutMembers;
        this.intents = new RolloutPrecedenceInvariants(rows, violationLog);
        this.campaignDependencies = new CampaignDependencies(rows, rolloutMembers);
        this.versions = new VersionSkewInvariants(rows);
        this.overlaps = new CampaignOverlapInvariants(rows, rolloutMembers);
        this.policies = mandates;
    }

    void check(MachineStatus started, UpgradeAttempt attempt, MachineRow machine, Instant at) {
        SiteId site = machine.key().site();
        SiteHead head = rows.siteHead(site);
        WatcherHeartbeat heartbeat = rows.heartbeat(site);
        ClusterRow cluster = rows.cluster(machine.clusterKey());
        violationLog.require(!rows.frozen(site), Invariant.FREEZE, machine.key() + " started while frozen");
        forbid(Invariant.CLOCK_SKEW, machine, !rows.head().clockInSync(), "while the clock is out of sync");
        forbid(
                Invariant.SILENT_SITE,
                machine,
                head == null || head.silentSince() != null || heartbeat == null,
                "in a silent site");
        forbid(
                Invariant.SITE_UNREACHABLE,
                machine,
                head != null && head.unreachableSince() != null,
                "in a site whose topics cannot be used");
        forbid(
                Invariant.MASS_REMOVAL,
                machine,
                heartbeat != null && heartbeat.withheldRemovals() > 0,
                "while deletions are withheld");
        forbid(
                Invariant.HELD_CLUSTER,
                machine,
                cluster == null || cluster.paused() || cluster.hold(),
                "in a held or unknown cluster");
        forbid(Invariant.HOLD, machine, machine.hold() || machine.paused(), "on hold or paused");
        forbid(Invariant.DELETION, machine, machine.deleting(), "that is being deleted");
        forbid(Invariant.NO_NODE, machine, machine.node() == null, "that has no node");
        for (ForeignActivity foreignActivity : machine.foreignActivities()) {
            forbid(busyWith(foreignActivity), machine, true, "that is busy: " + foreignActivity.label());
        }
        forbid(
                Invariant.UNREADABLE_ROW,
                machine,
                rows.unreadableRecords().contains(new RowKey(Table.INVENTORY, machine.key()))
                        || rows.unreadableRecords().contains(new RowKey(Table.INVENTORY, machine.clusterKey())),
                "whose row or whose cluster's row is unreadable");
        forbid(Invariant.OPT_OUT, machine, machine.optOut(), "that opted out");
        forbid(Invariant.UID, machine, !machine.uid().equals(started.uid()), "of another uid");
        MachineRow first = rows.duplicateNodeInUse(machine);
        forbid(
                Invariant.DUPLICATE_NODE,
                machine,
                first != null,
                "whose node belongs to " + (first == null ? "" : first.key()));
        RolloutEntry before = ReferenceFleetState.entry(rows.status(machine.key()), attempt.rolloutRef());
        if (before != null) {
            Instant retryAt = before.retryAt();
            forbid(Invariant.BACKOFF, machine, retryAt != null && at.isBefore(retryAt), "before its backoff is over");
            forbid(Invariant.ENDED, machine, before.outcome().hasEnded(), "that its rollout had finished");
        }
        intents.check(attempt, machine);
        forbid(
                Invariant.PROVIDER,
                machine,
                !rows.canApply(machine, attempt.target()),
                "whose provider is " + rows.providerOf(machine) + ", to " + attempt.target());
        forbid(
                Invariant.TARGET,
                machine,
                !rows.allowsPath(site, attempt.target()),
                "whose policy does not allow " + attempt.target());
        CampaignStatus campaign = rows.campaign(attempt.rolloutRef());
        forbid(Invariant.UNREADABLE, machine, rows.mayBeStopped(site, campaign), "that an unreadable record may stop");
        if (campaign != null) {
            checkCampaignStart(started, machine, campaign, at);
        } else if (attempt.rolloutRef() instanceof RolloutRef.CampaignRef) {
            violationLog.addViolation(
                    Invariant.CAMPAIGN_NOT_RUNNING, machine.key() + " started for a campaign that does not exist");
        }
    }

    private static Invariant busyWith(ForeignActivity foreignActivity) {
        return switch (foreignActivity) {
            case FOREIGN -> Invariant.OTHER_CONTROLLER;
            case ROLLING, SCALING -> Invariant.OWNER;
            case REMEDIATION -> Invariant.REMEDIATION;
            case CERTIFICATES -> Invariant.CERTIFICATES;
        };
    }

    /** Requires that an intent is accepted without a rejection only if the policy allows it. */
    void checkIntent(UpgradeIntent intent, Decision decision) {
        boolean rejected = decision.changes().stream().anyMatch(RejectedRecord.class::isInstance);
        UpgradePolicy.IntentRule rule = rows.intentRule(intent.object().site());
        boolean isAllowedPath = rows.allowsPath(intent.object().site(), intent.target());
        violationLog.require(
                rejected || (isAllowedPath && rule.allows(intent.target())),
                Invariant.TARGET,
                "the annotation of " + intent.object() + " to " + intent.target()
                        + " was accepted although the policy forbids it");
    }

    /** Requires that no campaign starts a control plane that another campaign has started and not finished. */
    private void checkHalfDoneControlPlanes(MachineRow machine, CampaignStatus campaign) {
        for (CampaignStatus other : rows.campaigns()) {
            RolloutRef rolloutRef = new RolloutRef.CampaignRef(other.name(), other.uid());
            boolean begun = false;
            boolean left = false;
            for (MachineRow member : rows.machines(machine.clusterKey())) {
                RolloutEntry entry = ReferenceFleetState.entry(rows.status(member.key()), rolloutRef);
                boolean counts =
                        member.role() == MachineRole.CONTROL_PLANE && rolloutMembers.isMember(member, rolloutRef);
                // A started member that was skipped leaves nothing half done.
                begun |= counts
                        && entry != null
                        && (entry.outcome() == MachineOutcome.SUCCEEDED
                                || (entry.failedAttempts() > 0 && entry.outcome() != MachineOutcome.SKIPPED));
                left |= counts
                        && !member.optOut()
                        && (entry == null || !entry.outcome().hasEnded());
            }
            forbid(
                    Invariant.PARTIAL_CONTROL_PLANE,
                    machine,
                    other.uid() != campaign.uid() && !other.state().isOver() && begun && left,
                    "of a control plane that campaign " + other.name() + " has started");
        }
    }

    /** Requires that a command allows a downgrade only if the campaign or the policy does. */
    void checkDowngrade(WorkerCommand.UpgradeMachine command, Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof MachineStatus status && status.attempt() != null) {
                CampaignStatus campaign = rows.campaign(status.attempt().rolloutRef());
                boolean allowed = campaign == null
                        ? rows.intentRule(status.key().site()).versions().allowDowngrade()
                        : campaign.acceptedCampaign().spec().target().allowDowngrade();
                violationLog.require(
                        allowed || !command.allowDowngrade(),
                        Invariant.VERSION,
                        command.key() + " may be downgraded, which neither its campaign nor the policy allows");
            }
        }
    }

    private void forbid(Invariant invariant, MachineRow machine, boolean forbidden, String what) {
        violationLog.require(!forbidden, invariant, () -> machine.key() + " started: a machine " + what);
    }

    private void checkCampaignStart(MachineStatus started, MachineRow machine, CampaignStatus campaign, Instant at) {
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
        CampaignSpec spec = campaign.acceptedCampaign().spec();
        boolean begun = machine.role() == MachineRole.CONTROL_PLANE
                && rolloutMembers.isControlPlaneStarted(machine, rolloutRef);
        violationLog.require(
                campaign.state() == CampaignState.RUNNING,
                Invariant.CAMPAIGN_ORDER,
                machine.key() + " started while campaign " + campaign.name() + " is "
                        + campaign.state().label());
        forbid(
                Invariant.START,
                machine,
                spec.startAt() != null && at.isBefore(spec.startAt()),
                "before its campaign's start");
        forbid(
                Invariant.DEADLINE,
                machine,
                !begun && spec.deadline() != null && at.isAfter(spec.deadline()),
                "after its campaign's deadline");
        forbid(
                Invariant.SELECTION,
                machine,
                !rolloutMembers.isMember(machine, rolloutRef),
                "that its campaign does not select");
        forbid(
                Invariant.DEPENDENCY,
                machine,
                !begun && !spec.dependsOn().isEmpty() && !campaignDependencies.areMet(campaign),
                "of a campaign that waits for another");
        if (machine.role() == MachineRole.CONTROL_PLANE && !begun) {
            checkHalfDoneControlPlanes(machine, campaign);
        }
        CampaignName earlier = begun ? null : overlaps.campaignWaitedFor(campaign, at);
        forbid(Invariant.OVERLAP, machine, earlier != null, "of a campaign that overlaps with the earlier " + earlier);
        String version = versions.problemOf(campaign, machine);
        forbid(Invariant.VERSION, machine, version != null, "that would go " + version);
        for (CampaignStatus other : rows.campaigns()) {
            forbid(
                    Invariant.CLAIMED_BY_OTHER,
                    machine,
                    machine.role() == MachineRole.WORKER
                            && hasPrecedence(other, campaign, at)
                            && wants(other, machine)
                            && isUnblocked(other, at),
                    "that belongs to campaign " + other.name() + ", not to " + campaign.name());
        }
        RolloutEntry entry = ReferenceFleetState.entry(started, rolloutRef);
        if (entry == null) {
            violationLog.addViolation(Invariant.NUMBERS, machine.key() + " started without an entry for " + rolloutRef);
        } else if (!begun) {
            checkWave(machine, campaign, entry.wave());
            policies.checkStart(machine, campaign, entry.wave());
        }
    }

    /** Whether another campaign has precedence over the machines that both select. */
    private static boolean hasPrecedence(CampaignStatus other, CampaignStatus campaign, Instant at) {
        CampaignSpec spec = other.acceptedCampaign().spec();
        int priority = Integer.compare(
                spec.priority(), campaign.acceptedCampaign().spec().priority());
        return (other.state() == CampaignState.RUNNING || other.state() == CampaignState.PAUSED)
                && (spec.startAt() == null || !at.isBefore(spec.startAt()))
                && (spec.deadline() == null || at.isBefore(spec.deadline()))
                && (priority > 0 || (priority == 0 && other.uid() < campaign.uid()));
    }

    /** Whether it waits for no other campaign; false if a record that it depends on is unreadable. */
    private boolean isUnblocked(CampaignStatus other, Instant at) {
        return overlaps.campaignWaitedFor(other, at) == null
                && (other.acceptedCampaign().spec().dependsOn().isEmpty()
                        || (!rows.unreadableRecords()
                                        .existInDependencies(
                                                other.acceptedCampaign().spec().dependsOn())
                                && campaignDependencies.areMet(other)));
    }

    private boolean wants(CampaignStatus other, MachineRow machine) {
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(other.name(), other.uid());
        RolloutEntry entry = ReferenceFleetState.entry(rows.status(machine.key()), rolloutRef);
        return rolloutMembers.isMember(machine, rolloutRef)
                && rows.canApply(
                        machine, other.acceptedCampaign().spec().target().option())
                && (entry == null || !entry.outcome().hasEnded());
    }

    /**
     * Requires that the machine's wave has begun and is approved. Whether the wave may begin is checked when it does.
     */
    private void checkWave(MachineRow machine, CampaignStatus campaign, String own) {
        WaveStatus row = rows.wave(campaign, own);
        forbid(Invariant.WAVE, machine, row == null || row.openedAt() == null, "whose wave " + own + " has not begun");
        forbid(
                Invariant.APPROVAL,
                machine,
                rows.grantedApprovals().isPending(campaign),
                "of a campaign whose edit is not approved");
        forbid(
                Invariant.APPROVAL,
                machine,
                (row == null || row.closedAt() == null)
                        && campaign.acceptedCampaign().spec().waves().stream()
                                .anyMatch(wave -> wave.name().equals(own) && wave.needsApprovalBefore())
                        && !rows.grantedApprovals().isApproved(campaign, own),
                "whose wave " + own + " is not approved for this content");
    }
}
