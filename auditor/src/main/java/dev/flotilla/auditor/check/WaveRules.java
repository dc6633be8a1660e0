package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.ClusterWaves;
import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.Attempt;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.Spec.Wave;
import dev.flotilla.auditor.wire.WaveStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When a wave may begin, when it is done with, and when a campaign is complete. */
final class WaveRules {
    private static final int HUNDRED = 100;

    private final Fleet fleet;
    private final Findings findings;
    private final ClusterWaves clusters;

    /** When a wave's last machine succeeded, as it was seen here. */
    private final Map<String, Long> succeeded = new HashMap<>();

    WaveRules(Fleet fleet, Findings findings) {
        this.fleet = fleet;
        this.findings = findings;
        this.clusters = new ClusterWaves(fleet);
    }

    /** A machine may have succeeded, for whichever campaign that was. */
    void status(MachineStatus now, long at) {
        MachineStatus before = fleet.status(now.id());
        for (Entry entry : now.entries()) {
            CampaignStatus campaign = entry.atTarget() ? fleet.campaign(entry.driver()) : null;
            Entry known = before == null ? null : before.entry(entry.driver());
            if (campaign != null
                    && (known == null || !known.atTarget())
                    && fleet.wave(campaign, entry.wave()) != null
                    && campaign.spec().waves().stream()
                            .anyMatch(wave -> wave.name().equals(entry.wave()))) {
                succeeded.put(campaign.uid() + "/" + entry.wave(), at);
            }
        }
    }

    /** A machine starts in the wave that its cluster is in. */
    void start(MachineStatus started, Attempt attempt) {
        MachineRow machine = fleet.machine(started.id());
        CampaignStatus campaign = fleet.campaign(attempt.driver());
        Entry entry = started.entry(attempt.driver());
        if (machine != null && campaign != null && entry != null) {
            String wave = clusters.of(campaign, machine.cluster(), fleet.machinesOf(machine.cluster()))
                    .name();
            findings.require(
                    entry.wave().equals(wave),
                    Invariant.GATES,
                    machine.id() + " started in wave " + entry.wave() + ", its cluster is in wave " + wave);
        }
    }

    void check(WaveStatus next, long at) {
        CampaignStatus campaign = fleet.campaign(new Driver.OfCampaign(next.campaign(), next.campaignUid()));
        if (campaign == null) {
            return;
        }
        WaveStatus before = fleet.wave(campaign, next.wave());
        if (next.opened() && (before == null || !before.opened())) {
            opens(campaign, next);
        }
        if (next.closed() && (before == null || !before.closed())) {
            closes(campaign, next);
            soaked(campaign, next, at);
        }
        if (next.bound() != null && (before == null || before.bound() == null) && !fleet.anyUnreadable()) {
            settles(campaign, next);
        }
    }

    private void settles(CampaignStatus campaign, WaveStatus settled) {
        for (Wave wave : campaign.spec().waves()) {
            if (wave.name().equals(settled.wave())) {
                long due = clusters.due(campaign, wave);
                findings.require(
                        settled.bound() != null && settled.bound() == due,
                        Invariant.GATES,
                        "wave " + name(settled) + " takes " + settled.bound() + " millionths instead of " + due);
            }
        }
    }

    private void soaked(CampaignStatus campaign, WaveStatus closed, long at) {
        Long seen = succeeded.get(campaign.uid() + "/" + closed.wave());
        Long last = seen == null ? closed.lastSuccess() : seen;
        for (Wave wave : campaign.spec().waves()) {
            if (wave.name().equals(closed.wave()) && last != null) {
                findings.require(
                        at - last >= wave.soak(),
                        Invariant.GATES,
                        "wave " + name(closed) + " is done with " + (at - last)
                                + " ms after its last success, and soaks for " + wave.soak());
            }
        }
    }

    /** Invariant 5: a campaign that says it is complete leaves nobody waiting. */
    void completes(CampaignStatus next) {
        CampaignStatus campaign = fleet.campaign(next.driver());
        if (campaign != null && !campaign.over()) {
            long open = tally(campaign, campaign.spec().waves().size() - 1).openAnywhere;
            findings.require(
                    open == 0,
                    Invariant.NOTHING_LOST,
                    "campaign " + next.name() + " is completed while " + open + " of its machines have not ended");
        }
    }

    private void opens(CampaignStatus campaign, WaveStatus opened) {
        List<Wave> waves = campaign.spec().waves();
        for (int i = 0; i < waves.size(); i++) {
            Wave wave = waves.get(i);
            if (wave.name().equals(opened.wave())) {
                findings.require(
                        !wave.approval().equals("before") || opened.approved() || tally(campaign, i).total == 0,
                        Invariant.GATES,
                        "wave " + name(opened) + " begins without an approval");
                return;
            }
            WaveStatus earlier = fleet.wave(campaign, wave.name());
            findings.require(
                    earlier != null && earlier.closed(),
                    Invariant.GATES,
                    "wave " + name(opened) + " begins before wave " + wave.name() + " is done with");
        }
    }

    private void closes(CampaignStatus campaign, WaveStatus closed) {
        List<Wave> waves = campaign.spec().waves();
        for (int i = 0; i < waves.size(); i++) {
            Wave wave = waves.get(i);
            if (wave.name().equals(closed.wave())) {
                Tally tally = tally(campaign, i);
                findings.require(
                        tally.atTarget * HUNDRED >= tally.counted * wave.successPercent() || tally.openAnywhere == 0,
                        Invariant.GATES,
                        "wave " + name(closed) + " is done with after " + tally.atTarget + " of " + tally.counted
                                + " machines");
                findings.require(
                        !wave.approval().equals("after") || closed.approved() || tally.total == 0,
                        Invariant.GATES,
                        "wave " + name(closed) + " is done with before anybody has approved of it");
            }
        }
    }

    private static String name(WaveStatus wave) {
        return wave.campaign() + "/" + wave.wave();
    }

    private static final class Tally {
        private long total;
        private long counted;
        private long atTarget;
        private long openAnywhere;
    }

    private Tally tally(CampaignStatus campaign, int index) {
        Driver driver = campaign.driver();
        Wave wave = campaign.spec().waves().get(index);
        Map<String, Wave> waves = new HashMap<>();
        Tally tally = new Tally();
        for (MachineRow machine : fleet.awaited()) {
            if (!fleet.members().selected(machine, driver)) {
                continue;
            }
            MachineStatus status = fleet.status(machine.id());
            Entry entry = status == null ? null : status.entry(driver);
            boolean ended = entry != null && entry.ended();
            boolean optedOut = machine.optOut() && !ended && (status == null || !status.inFlightFor(driver));
            tally.openAnywhere += ended || optedOut ? 0 : 1;
            Wave own = waves.computeIfAbsent(
                    machine.cluster(), cluster -> clusters.of(campaign, cluster, fleet.machinesOf(cluster)));
            if (!wave.equals(own)) {
                continue;
            }
            tally.total++;
            if (!optedOut && (entry == null || !entry.skipped())) {
                tally.counted++;
                tally.atTarget += entry != null && entry.atTarget() ? 1 : 0;
            }
        }
        return tally;
    }
}
