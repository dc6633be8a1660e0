package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.ClusterWaveAssignment;
import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignSpec.Wave;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import dev.flotilla.auditor.wire.WaveStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks when a wave opens, when it closes, and when a campaign is complete. */
final class WaveRules {
    private static final int HUNDRED = 100;

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;
    private final ClusterWaveAssignment clusters;

    /** When a wave's last machine succeeded, as observed here. */
    private final Map<String, Long> succeeded = new HashMap<>();

    WaveRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
        this.clusters = new ClusterWaveAssignment(fleetTables);
    }

    /** Records a success of a machine in any campaign. */
    void checkStatus(MachineStatus now, long at) {
        MachineStatus before = fleetTables.status(now.id());
        for (RolloutEntry rolloutEntry : now.entries()) {
            CampaignStatus campaign = rolloutEntry.isAtTarget() ? fleetTables.campaign(rolloutEntry.rollout()) : null;
            RolloutEntry known = before == null ? null : before.entry(rolloutEntry.rollout());
            if (campaign != null
                    && (known == null || !known.isAtTarget())
                    && fleetTables.wave(campaign, rolloutEntry.wave()) != null
                    && campaign.spec().waves().stream()
                            .anyMatch(wave -> wave.name().equals(rolloutEntry.wave()))) {
                succeeded.put(campaign.uid() + "/" + rolloutEntry.wave(), at);
            }
        }
    }

    /** Checks that a machine starts in the wave of its cluster. */
    void checkStart(MachineStatus started, UpgradeAttempt upgradeAttempt) {
        MachineRow machine = fleetTables.machine(started.id());
        CampaignStatus campaign = fleetTables.campaign(upgradeAttempt.rollout());
        RolloutEntry rolloutEntry = started.entry(upgradeAttempt.rollout());
        if (machine != null && campaign != null && rolloutEntry != null) {
            String wave = clusters.waveOf(campaign, machine.cluster(), fleetTables.machinesOf(machine.cluster()))
                    .name();
            auditFindings.require(
                    rolloutEntry.wave().equals(wave),
                    AuditInvariant.GATES,
                    machine.id() + " started in wave " + rolloutEntry.wave() + ", but its cluster is in wave " + wave);
        }
    }

    void check(WaveStatus next, long at) {
        CampaignStatus campaign = fleetTables.campaign(new RolloutRef.CampaignRef(next.campaign(), next.campaignUid()));
        if (campaign == null) {
            return;
        }
        WaveStatus before = fleetTables.wave(campaign, next.wave());
        if (next.opened() && (before == null || !before.opened())) {
            checkOpening(campaign, next);
        }
        if (next.closed() && (before == null || !before.closed())) {
            checkClosing(campaign, next);
            checkSoak(campaign, next, at);
        }
        if (next.sharePartsPerMillion() != null
                && (before == null || before.sharePartsPerMillion() == null)
                && !fleetTables.anyUnreadable()) {
            checkShare(campaign, next);
        }
    }

    private void checkShare(CampaignStatus campaign, WaveStatus settled) {
        for (Wave wave : campaign.spec().waves()) {
            if (wave.name().equals(settled.wave())) {
                long due = clusters.due(campaign, wave);
                auditFindings.require(
                        settled.sharePartsPerMillion() != null && settled.sharePartsPerMillion() == due,
                        AuditInvariant.GATES,
                        "wave " + name(settled) + " has a share of " + settled.sharePartsPerMillion()
                                + " millionths instead of " + due);
            }
        }
    }

    private void checkSoak(CampaignStatus campaign, WaveStatus closed, long at) {
        Long seen = succeeded.get(campaign.uid() + "/" + closed.wave());
        Long last = seen == null ? closed.lastSuccess() : seen;
        for (Wave wave : campaign.spec().waves()) {
            if (wave.name().equals(closed.wave()) && last != null) {
                auditFindings.require(
                        at - last >= wave.soak(),
                        AuditInvariant.GATES,
                        "wave " + name(closed) + " closes " + (at - last) + " ms after its last success, but soaks for "
                                + wave.soak());
            }
        }
    }

    /** Invariant 5: a completed campaign has no machine waiting. */
    void checkCompletion(CampaignStatus next) {
        CampaignStatus campaign = fleetTables.campaign(next.rollout());
        if (campaign != null && !campaign.isOver()) {
            long open = countWave(campaign, campaign.spec().waves().size() - 1).openAnywhere;
            auditFindings.require(
                    open == 0,
                    AuditInvariant.NOTHING_LOST,
                    "campaign " + next.name() + " is completed while " + open + " of its machines have not ended");
        }
    }

    private void checkOpening(CampaignStatus campaign, WaveStatus opened) {
        List<Wave> waves = campaign.spec().waves();
        for (int i = 0; i < waves.size(); i++) {
            Wave wave = waves.get(i);
            if (wave.name().equals(opened.wave())) {
                auditFindings.require(
                        !wave.approval().equals("before") || opened.approved() || countWave(campaign, i).total == 0,
                        AuditInvariant.GATES,
                        "wave " + name(opened) + " opens without an approval");
                return;
            }
            WaveStatus earlier = fleetTables.wave(campaign, wave.name());
            auditFindings.require(
                    earlier != null && earlier.closed(),
                    AuditInvariant.GATES,
                    "wave " + name(opened) + " opens before wave " + wave.name() + " is closed");
        }
    }

    private void checkClosing(CampaignStatus campaign, WaveStatus closed) {
        List<Wave> waves = campaign.spec().waves();
        for (int i = 0; i < waves.size(); i++) {
            Wave wave = waves.get(i);
            if (wave.name().equals(closed.wave())) {
                WaveTally tally = countWave(campaign, i);
                auditFindings.require(
                        tally.atTarget * HUNDRED >= tally.counted * wave.successPercent() || tally.openAnywhere == 0,
                        AuditInvariant.GATES,
                        "wave " + name(closed) + " closes after " + tally.atTarget + " of " + tally.counted
                                + " machines");
                auditFindings.require(
                        !wave.approval().equals("after") || closed.approved() || tally.total == 0,
                        AuditInvariant.GATES,
                        "wave " + name(closed) + " closes without an approval");
            }
        }
    }

    private static String name(WaveStatus wave) {
        return wave.campaign() + "/" + wave.wave();
    }

    private static final class WaveTally {
        private long total;
        private long counted;
        private long atTarget;
        private long openAnywhere;
    }

    private WaveTally countWave(CampaignStatus campaign, int index) {
        RolloutRef rolloutRef = campaign.rollout();
        Wave wave = campaign.spec().waves().get(index);
        Map<String, Wave> waves = new HashMap<>();
        WaveTally tally = new WaveTally();
        for (MachineRow machine : fleetTables.countedMachines()) {
            if (!fleetTables.membership().isSelected(machine, rolloutRef)) {
                continue;
            }
            MachineStatus status = fleetTables.status(machine.id());
            RolloutEntry rolloutEntry = status == null ? null : status.entry(rolloutRef);
            boolean ended = rolloutEntry != null && rolloutEntry.hasEnded();
            boolean optedOut = machine.optOut() && !ended && (status == null || !status.isInFlightFor(rolloutRef));
            tally.openAnywhere += ended || optedOut ? 0 : 1;
            Wave own = waves.computeIfAbsent(
                    machine.cluster(), cluster -> clusters.waveOf(campaign, cluster, fleetTables.machinesOf(cluster)));
            if (!wave.equals(own)) {
                continue;
            }
            tally.total++;
            if (!optedOut && (rolloutEntry == null || !rolloutEntry.isSkipped())) {
                tally.counted++;
                tally.atTarget += rolloutEntry != null && rolloutEntry.isAtTarget() ? 1 : 0;
            }
        }
        return tally;
    }
}
