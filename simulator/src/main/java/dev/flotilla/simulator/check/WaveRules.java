package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** When a wave may begin, and when it may be done with: by the campaign as it is specified at that moment. */
final class WaveRules {
    private static final int HUNDRED = 100;

    private final Recount rows;
    private final Verdicts verdicts;
    private final Members members;

    WaveRules(Recount rows, Verdicts verdicts, Members members) {
        this.rows = rows;
        this.verdicts = verdicts;
        this.members = members;
    }

    void check(WaveStatus next) {
        CampaignStatus campaign = rows.campaign(new Driver.OfCampaign(next.key().campaign(), next.campaignUid()));
        if (campaign == null) {
            return;
        }
        WaveStatus before = rows.wave(campaign, next.key().wave());
        if (next.opened() != null && (before == null || before.opened() == null)) {
            opens(campaign, next);
        }
        if (next.closed() != null && (before == null || before.closed() == null)) {
            closes(campaign, next.key());
        }
    }

    private void opens(CampaignStatus campaign, WaveStatus opened) {
        List<Wave> waves = campaign.accepted().spec().waves();
        for (int i = 0; i < waves.size(); i++) {
            Wave wave = waves.get(i);
            if (wave.name().equals(opened.key().wave())) {
                verdicts.require(
                        !wave.approval() || opened.approvedBy() != null || tally(campaign, i).total == 0,
                        Invariant.GATES,
                        "wave " + opened.key() + " begins without an approval");
                return;
            }
            WaveStatus earlier = rows.wave(campaign, wave.name());
            verdicts.require(
                    earlier != null && earlier.closed() != null,
                    Invariant.GATES,
                    "wave " + opened.key() + " begins before wave " + wave.name() + " is done with");
        }
    }

    private void closes(CampaignStatus campaign, WaveKey closed) {
        List<Wave> waves = campaign.accepted().spec().waves();
        for (int i = 0; i < waves.size(); i++) {
            Wave wave = waves.get(i);
            if (wave.name().equals(closed.wave())) {
                Tally tally = tally(campaign, i);
                verdicts.require(
                        (long) tally.atTarget * HUNDRED >= (long) tally.counted * wave.successPercent()
                                || tally.openAnywhere == 0,
                        Invariant.GATES,
                        "wave " + closed + " is done with after " + tally.atTarget + " of " + tally.counted
                                + " machines");
            }
        }
    }

    private static final class Tally {
        private int total;
        private int counted;
        private int atTarget;
        private int openAnywhere;
    }

    private Tally tally(CampaignStatus campaign, int index) {
        Driver driver = new Driver.OfCampaign(campaign.name(), campaign.uid());
        Wave wave = campaign.accepted().spec().waves().get(index);
        Map<ClusterKey, Wave> waves = waves(campaign, driver);
        Tally tally = new Tally();
        for (MachineRow machine : rows.machines()) {
            if (!members.selected(machine, driver)) {
                continue;
            }
            MachineStatus status = rows.status(machine.key());
            Entry entry = Recount.entry(status, driver);
            boolean ended = entry != null && entry.outcome().ended();
            boolean optedOut = machine.optOut() && !ended && !Recount.inFlight(status, driver);
            tally.openAnywhere += ended || optedOut ? 0 : 1;
            if (!wave.equals(waves.get(machine.clusterKey()))) {
                continue;
            }
            tally.total++;
            if (!optedOut && (entry == null || entry.outcome() != Outcome.SKIPPED)) {
                tally.counted++;
                tally.atTarget += entry != null && entry.outcome().atTarget() ? 1 : 0;
            }
        }
        return tally;
    }

    /** The wave of each cluster: the one its machines have entries of, else the first that selects it and is not closed. */
    private Map<ClusterKey, Wave> waves(CampaignStatus campaign, Driver driver) {
        List<MachineRow> machines = new ArrayList<>(rows.machines());
        machines.sort(Comparator.comparing(MachineRow::key));
        Map<ClusterKey, Wave> waves = new LinkedHashMap<>();
        for (MachineRow machine : machines) {
            Entry entry = Recount.entry(rows.status(machine.key()), driver);
            if (entry != null) {
                for (Wave wave : campaign.accepted().spec().waves()) {
                    if (wave.name().equals(entry.wave())) {
                        waves.putIfAbsent(machine.clusterKey(), wave);
                    }
                }
            }
        }
        for (MachineRow machine : machines) {
            waves.computeIfAbsent(machine.clusterKey(), cluster -> first(campaign, cluster));
        }
        return waves;
    }

    private Wave first(CampaignStatus campaign, ClusterKey key) {
        List<Wave> waves = campaign.accepted().spec().waves();
        Wave last = waves.get(waves.size() - 1);
        ClusterRow cluster = rows.cluster(key);
        boolean found = false;
        for (Wave wave : waves) {
            found |= cluster != null
                    && (wave.sites().isEmpty() || wave.sites().contains(key.site()))
                    && wave.clusters().matches(cluster.labels());
            WaveStatus row = rows.wave(campaign, wave.name());
            if (found && (row == null || row.closed() == null)) {
                return wave;
            }
        }
        return last;
    }
}
