package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When a wave may begin, and when it may be done with: by the campaign as it is specified at that moment. */
final class WaveInvariants {
    private static final int HUNDRED = 100;

    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;
    private final RolloutMembers rolloutMembers;
    private final ClusterWaveAssignment clusters;

    /** When a wave's last machine succeeded, as it was seen here. */
    private final Map<String, Instant> succeeded = new HashMap<>();

    WaveInvariants(ReferenceFleetState rows, ViolationLog violationLog, RolloutMembers rolloutMembers) {
        this.rows = rows;
        this.violationLog = violationLog;
        this.rolloutMembers = rolloutMembers;
        this.clusters = new ClusterWaveAssignment(rows, rolloutMembers);
    }

    /** A machine has succeeded, for whichever campaign that was. */
    void status(@Nullable MachineStatus before, MachineStatus now, Instant at) {
        for (RolloutEntry entry : now.entries()) {
            RolloutEntry known = ReferenceFleetState.entry(before, entry.rolloutRef());
            CampaignStatus campaign = rows.campaign(entry.rolloutRef());
            if (campaign != null
                    && entry.outcome().isAtTarget()
                    && (known == null || !known.outcome().isAtTarget())
                    && campaign.acceptedCampaign().spec().waves().stream()
                            .anyMatch(wave -> wave.name().equals(entry.wave()))
                    && rows.wave(campaign, entry.wave()) != null) {
                succeeded.put(campaign.uid() + "/" + entry.wave(), at);
            }
        }
    }

    /** A machine starts in the wave that its cluster is in. */
    void start(MachineStatus started, MachineRow machine, RolloutRef rolloutRef) {
        CampaignStatus campaign = rows.campaign(rolloutRef);
        RolloutEntry entry = ReferenceFleetState.entry(started, rolloutRef);
        if (campaign != null && entry != null) {
            String wave = clusters.of(campaign, machine.clusterKey()).name();
            violationLog.require(
                    wave.equals(entry.wave()),
                    Invariant.WAVE,
                    machine.key() + " started in wave " + entry.wave() + ", its cluster is in wave " + wave);
        }
    }

    void check(WaveStatus next, Decision decision) {
        Instant at = decision.at();
        CampaignStatus campaign =
                rows.campaign(new RolloutRef.CampaignRef(next.key().campaign(), next.campaignUid()));
        if (campaign == null) {
            return;
        }
        WaveStatus before = rows.wave(campaign, next.key().wave());
        if (next.openedAt() != null && (before == null || before.openedAt() == null)) {
            opens(campaign, next);
        }
        if (next.closedAt() != null && (before == null || before.closedAt() == null)) {
            closes(campaign, next);
            soaked(campaign, next, at);
        }
        if (next.sharePartsPerMillion() != null && (before == null || before.sharePartsPerMillion() == null)) {
            bound(campaign, next);
        }
        violationLog.require(
                before == null
                        || ((before.openedAt() == null || next.openedAt() != null)
                                && (before.lastSuccessAt() == null || next.lastSuccessAt() != null)
                                && (before.closedAt() == null || next.closedAt() != null)),
                Invariant.WAVE_HISTORY,
                "wave " + next.key() + " has forgotten how far it was");
        if (next.approvedBy() != null && (before == null || !next.approvedBy().equals(before.approvedBy()))) {
            approves(campaign, next);
        }
        violationLog.require(
                before == null
                        || before.sharePartsPerMillion() == null
                        || next.sharePartsPerMillion() == null
                        || before.sharePartsPerMillion().equals(next.sharePartsPerMillion()),
                Invariant.WAVE_SHARE,
                "wave " + next.key() + " takes another share than was settled");
        violationLog.require(
                next.approvedBy() == null
                        || (before != null && next.approvedBy().equals(before.approvedBy()))
                        || decision.changes().stream()
                                .anyMatch(rowChange -> rowChange instanceof OperatorOrder order
                                        && order.id().equals(next.approvedBy())
                                        && order.key()
                                                .equals(new OperatorOrderKey.ApproveWave(
                                                        campaign.name(),
                                                        next.key().wave()))),
                Invariant.APPROVAL,
                "wave " + next.key() + " is approved by " + next.approvedBy() + ", which nobody has ordered");
    }

    private void bound(CampaignStatus campaign, WaveStatus settled) {
        for (Wave wave : campaign.acceptedCampaign().spec().waves()) {
            if (wave.name().equals(settled.key().wave())
                    && !rows.anyUnreadable(
                            campaign.acceptedCampaign().spec().selection().sites())) {
                long due = clusters.bound(campaign, wave);
                violationLog.require(
                        settled.sharePartsPerMillion() != null && settled.sharePartsPerMillion() == due,
                        Invariant.WAVE_SHARE,
                        "wave " + settled.key() + " takes " + settled.sharePartsPerMillion() + " millionths instead of "
                                + due);
            }
        }
    }

    private void soaked(CampaignStatus campaign, WaveStatus closed, Instant at) {
        for (Wave wave : campaign.acceptedCampaign().spec().waves()) {
            Instant last = succeeded.get(campaign.uid() + "/" + closed.key().wave());
            if (wave.name().equals(closed.key().wave()) && last != null) {
                violationLog.require(
                        !at.isBefore(last.plus(wave.soak())),
                        Invariant.SOAK,
                        "wave " + closed.key() + " is done with at " + at + ", its last success was at " + last
                                + " and it soaks for " + wave.soak());
            }
        }
    }

    private void opens(CampaignStatus campaign, WaveStatus opened) {
        List<Wave> waves = campaign.acceptedCampaign().spec().waves();
        for (int i = 0; i < waves.size(); i++) {
            Wave wave = waves.get(i);
            if (wave.name().equals(opened.key().wave())) {
                violationLog.require(
                        !wave.needsApprovalBefore() || opened.approvedBy() != null || tally(campaign, i).total == 0,
                        Invariant.APPROVAL,
                        "wave " + opened.key() + " begins without an approval");
                return;
            }
            WaveStatus earlier = rows.wave(campaign, wave.name());
            violationLog.require(
                    earlier != null && earlier.closedAt() != null,
                    Invariant.WAVE,
                    "wave " + opened.key() + " begins before wave " + wave.name() + " is done with");
        }
    }

    /** Whoever approves of what came of a wave can see it. */
    private void approves(CampaignStatus campaign, WaveStatus next) {
        List<Wave> waves = campaign.acceptedCampaign().spec().waves();
        for (int i = 0; i < waves.size(); i++) {
            if (waves.get(i).name().equals(next.key().wave())
                    && waves.get(i).needsApprovalAfter()
                    && !rows.isPartlyUnread(campaign)) {
                Tally tally = tally(campaign, i);
                violationLog.require(
                        next.openedAt() != null
                                && ((long) tally.atTarget * HUNDRED
                                                >= (long) tally.counted
                                                        * waves.get(i).successPercent()
                                        || tally.open == 0),
                        Invariant.APPROVAL,
                        "wave " + next.key() + " was approved of after " + tally.atTarget + " of " + tally.counted
                                + " machines");
            }
        }
    }

    private void closes(CampaignStatus campaign, WaveStatus next) {
        WaveKey closed = next.key();
        List<Wave> waves = campaign.acceptedCampaign().spec().waves();
        for (int i = 0; i < waves.size(); i++) {
            Wave wave = waves.get(i);
            if (wave.name().equals(closed.wave())) {
                Tally tally = tally(campaign, i);
                violationLog.require(
                        (long) tally.atTarget * HUNDRED >= (long) tally.counted * wave.successPercent()
                                || tally.openAnywhere == 0,
                        Invariant.WAVE,
                        "wave " + closed + " is done with after " + tally.atTarget + " of " + tally.counted
                                + " machines");
                violationLog.require(
                        !wave.needsApprovalAfter() || next.approvedBy() != null || tally.total == 0,
                        Invariant.APPROVAL,
                        "wave " + closed + " is done with before anybody has approved of it");
            }
        }
    }

    private static final class Tally {
        private int total;
        private int counted;
        private int atTarget;
        private int open;
        private int openAnywhere;
    }

    private Tally tally(CampaignStatus campaign, int index) {
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
        Wave wave = campaign.acceptedCampaign().spec().waves().get(index);
        Map<ClusterKey, Wave> waves = clusters.all(campaign);
        Tally tally = new Tally();
        for (MachineRow machine : rows.machines()) {
            if (!rolloutMembers.isMember(machine, rolloutRef)
                    || rows.isUnreadSiteDeselected(machine.key().site(), campaign)) {
                continue;
            }
            MachineStatus status = rows.status(machine.key());
            RolloutEntry entry = ReferenceFleetState.entry(status, rolloutRef);
            boolean ended = entry != null && entry.outcome().hasEnded();
            boolean optedOut = machine.optOut() && !ended && !ReferenceFleetState.inFlight(status, rolloutRef);
            tally.openAnywhere += ended || optedOut ? 0 : 1;
            if (!wave.equals(waves.get(machine.clusterKey()))) {
                continue;
            }
            tally.total++;
            tally.open += ended || optedOut ? 0 : 1;
            if (!optedOut && (entry == null || entry.outcome() != MachineOutcome.SKIPPED)) {
                tally.counted++;
                tally.atTarget += entry != null && entry.outcome().isAtTarget() ? 1 : 0;
            }
        }
        return tally;
    }
}
