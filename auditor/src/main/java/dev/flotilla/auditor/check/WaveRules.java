package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.Spec.Wave;
import dev.flotilla.auditor.wire.WaveStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When a wave may begin, when it is done with, and when a campaign is complete. */
final class WaveRules {
    private static final int HUNDRED = 100;

    private final Fleet fleet;
    private final Findings findings;

    WaveRules(Fleet fleet, Findings findings) {
        this.fleet = fleet;
        this.findings = findings;
    }

    void check(WaveStatus next) {
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
                        !wave.approval() || opened.approved() || tally(campaign, i).total == 0,
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
        Map<String, Wave> waves = waves(campaign, driver);
        Tally tally = new Tally();
        for (MachineRow machine : fleet.machines()) {
            if (!fleet.members().selected(machine, driver)) {
                continue;
            }
            MachineStatus status = fleet.status(machine.id());
            Entry entry = status == null ? null : status.entry(driver);
            boolean ended = entry != null && entry.ended();
            boolean optedOut = machine.optOut() && !ended && (status == null || !status.inFlightFor(driver));
            tally.openAnywhere += ended || optedOut ? 0 : 1;
            if (!wave.equals(waves.get(machine.cluster()))) {
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

    /** The wave of each cluster: the one its machines have entries of, else the first that selects it and is not closed. */
    private Map<String, Wave> waves(CampaignStatus campaign, Driver driver) {
        List<MachineRow> machines = new ArrayList<>(fleet.machines());
        machines.sort(Comparator.comparing(MachineRow::id));
        Map<String, Wave> waves = new HashMap<>();
        for (MachineRow machine : machines) {
            MachineStatus status = fleet.status(machine.id());
            Entry entry = status == null ? null : status.entry(driver);
            if (entry != null) {
                for (Wave wave : campaign.spec().waves()) {
                    if (wave.name().equals(entry.wave())) {
                        waves.putIfAbsent(machine.cluster(), wave);
                    }
                }
            }
        }
        for (MachineRow machine : machines) {
            waves.computeIfAbsent(machine.cluster(), cluster -> first(campaign, machine.site(), cluster));
        }
        return waves;
    }

    private Wave first(CampaignStatus campaign, String site, String id) {
        ClusterRow cluster = fleet.cluster(id);
        boolean found = false;
        List<Wave> waves = campaign.spec().waves();
        for (Wave wave : waves) {
            found |= cluster != null
                    && (wave.sites().isEmpty() || wave.sites().contains(site))
                    && wave.clusters().matches(cluster.labels());
            WaveStatus row = fleet.wave(campaign, wave.name());
            if (found && (row == null || !row.closed())) {
                return wave;
            }
        }
        return waves.get(waves.size() - 1);
    }
}
