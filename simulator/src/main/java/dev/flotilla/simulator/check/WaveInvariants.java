package dev.flotilla.simulator.check;

import dev.flotilla.core.decision.Decision;
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

/** When a wave may begin, and when it may end, by the campaign's current specification. */
final class WaveInvariants {
    private static final int HUNDRED = 100;

    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;
    private final RolloutMembers rolloutMembers;
    private final ClusterWaveAssignment clusters;

    /** When a wave's last machine succeeded, as observed here. */
    private final Map<String, Instant> lastSuccessAt = new HashMap<>();

    WaveInvariants(ReferenceFleetState rows, ViolationLog violationLog, RolloutMembers rolloutMembers) {
        this.rows = rows;
        this.violationLog = violationLog;
        this.rolloutMembers = rolloutMembers;
        this.clusters = new ClusterWaveAssignment(rows, rolloutMembers);
    }

    /** Records the machines that have succeeded for any campaign. */
    void recordSuccesses(@Nullable MachineStatus before, MachineStatus now, Instant at) {
        for (RolloutEntry entry : now.entries()) {
            RolloutEntry known = ReferenceFleetState.entry(before, entry.rolloutRef());
            CampaignStatus campaign = rows.campaign(entry.rolloutRef());
            if (campaign != null
                    && entry.outcome().isAtTarget()
                    && (known == null || !known.outcome().isAtTarget())
                    && campaign.acceptedCampaign().spec().waves().stream()
                            .anyMatch(wave -> wave.name().equals(entry.wave()))
                    && rows.wave(campaign, entry.wave()) != null) {
                lastSuccessAt.put(campaign.uid() + "/" + entry.wave(), at);
            }
        }
    }

    /** Requires that a machine starts in the wave of its cluster. */
    void checkStart(MachineStatus started, MachineRow machine, RolloutRef rolloutRef) {
        CampaignStatus campaign = rows.campaign(rolloutRef);
        RolloutEntry entry = ReferenceFleetState.entry(started, rolloutRef);
        if (campaign != null && entry != null) {
            String wave = clusters.of(campaign, machine.clusterKey()).name();
            violationLog.require(
                    wave.equals(entry.wave()),
                    Invariant.WAVE,
                    machine.key() + " started in wave " + entry.wave() + ", but its cluster is in wave " + wave);
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
            checkBegin(campaign, next);
        }
        if (next.closedAt() != null && (before == null || before.closedAt() == null)) {
            checkEnd(campaign, next);
            checkSoak(campaign, next, at);
        }
        if (next.sharePartsPerMillion() != null && (before == null || before.sharePartsPerMillion() == null)) {
            checkShare(campaign, next);
        }
        violationLog.require(
                before == null
                        || ((before.openedAt() == null || next.openedAt() != null)
                                && (before.lastSuccessAt() == null || next.lastSuccessAt() != null)
                                && (before.closedAt() == null || next.closedAt() != null)),
                Invariant.WAVE_HISTORY,
                "wave " + next.key() + " has lost its progress");
        if (next.approvedBy() != null && (before == null || !next.approvedBy().equals(before.approvedBy()))) {
            checkApproval(campaign, next);
        }
        violationLog.require(
                before == null
                        || before.sharePartsPerMillion() == null
                        || next.sharePartsPerMillion() == null
                        || before.sharePartsPerMillion().equals(next.sharePartsPerMillion()),
                Invariant.WAVE_SHARE,
                "wave " + next.key() + " takes another share than was decided");
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
                "wave " + next.key() + " is approved by " + next.approvedBy() + ", but there is no such order");
    }

    private void checkShare(CampaignStatus campaign, WaveStatus decided) {
        for (Wave wave : campaign.acceptedCampaign().spec().waves()) {
            if (wave.name().equals(decided.key().wave())
                    && !rows.unreadableRecords()
                            .existInSites(
                                    campaign.acceptedCampaign().spec().select().sites())) {
                long expected = clusters.expectedShare(campaign, wave);
                violationLog.require(
                        decided.sharePartsPerMillion() != null && decided.sharePartsPerMillion() == expected,
                        Invariant.WAVE_SHARE,
                        "wave " + decided.key() + " takes " + decided.sharePartsPerMillion() + " millionths instead of "
                                + expected);
            }
        }
    }

    private void checkSoak(CampaignStatus campaign, WaveStatus closed, Instant at) {
        for (Wave wave : campaign.acceptedCampaign().spec().waves()) {
            Instant last = lastSuccessAt.get(campaign.uid() + "/" + closed.key().wave());
            if (wave.name().equals(closed.key().wave()) && last != null) {
                violationLog.require(
                        !at.isBefore(last.plus(wave.soak())),
                        Invariant.SOAK,
                        "wave " + closed.key() + " ended at " + at + ", although its last success was at " + last
                                + " and it soaks for " + wave.soak());
            }
        }
    }

    private void checkBegin(CampaignStatus campaign, WaveStatus opened) {
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
                    "wave " + opened.key() + " begins before wave " + wave.name() + " has ended");
        }
    }

    /** Requires that the result of a wave is visible to those who approve it. */
    private void checkApproval(CampaignStatus campaign, WaveStatus next) {
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
                        "wave " + next.key() + " was approved after " + tally.atTarget + " of " + tally.counted
                                + " machines");
            }
        }
    }

    private void checkEnd(CampaignStatus campaign, WaveStatus next) {
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
                        "wave " + closed + " ended after " + tally.atTarget + " of " + tally.counted + " machines");
                violationLog.require(
                        !wave.needsApprovalAfter() || next.approvedBy() != null || tally.total == 0,
                        Invariant.APPROVAL,
                        "wave " + closed + " ended before its approval");
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
