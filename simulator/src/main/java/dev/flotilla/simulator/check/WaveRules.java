package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When a wave may begin, and when it may be done with: by the campaign as it is specified at that moment. */
final class WaveRules {
    private static final int HUNDRED = 100;

    private final Recount rows;
    private final Verdicts verdicts;
    private final Members members;
    private final ClusterWaves clusters;

    /** When a wave's last machine succeeded, as it was seen here. */
    private final Map<String, Instant> succeeded = new HashMap<>();

    WaveRules(Recount rows, Verdicts verdicts, Members members) {
        this.rows = rows;
        this.verdicts = verdicts;
        this.members = members;
        this.clusters = new ClusterWaves(rows, members);
    }

    /** A machine has succeeded, for whichever campaign that was. */
    void status(@Nullable MachineStatus before, MachineStatus now, Instant at) {
        for (Entry entry : now.entries()) {
            Entry known = Recount.entry(before, entry.driver());
            CampaignStatus campaign = rows.campaign(entry.driver());
            if (campaign != null
                    && entry.outcome().atTarget()
                    && (known == null || !known.outcome().atTarget())
                    && campaign.accepted().spec().waves().stream()
                            .anyMatch(wave -> wave.name().equals(entry.wave()))
                    && rows.wave(campaign, entry.wave()) != null) {
                succeeded.put(campaign.uid() + "/" + entry.wave(), at);
            }
        }
    }

    /** A machine starts in the wave that its cluster is in. */
    void start(MachineStatus started, MachineRow machine, Driver driver) {
        CampaignStatus campaign = rows.campaign(driver);
        Entry entry = Recount.entry(started, driver);
        if (campaign != null && entry != null) {
            String wave = clusters.of(campaign, machine.clusterKey()).name();
            verdicts.require(
                    wave.equals(entry.wave()),
                    Invariant.WAVE,
                    machine.key() + " started in wave " + entry.wave() + ", its cluster is in wave " + wave);
        }
    }

    void check(WaveStatus next, Decision decision) {
        Instant at = decision.at();
        CampaignStatus campaign = rows.campaign(new Driver.OfCampaign(next.key().campaign(), next.campaignUid()));
        if (campaign == null) {
            return;
        }
        WaveStatus before = rows.wave(campaign, next.key().wave());
        if (next.opened() != null && (before == null || before.opened() == null)) {
            opens(campaign, next);
        }
        if (next.closed() != null && (before == null || before.closed() == null)) {
            closes(campaign, next);
            soaked(campaign, next, at);
        }
        if (next.bound() != null && (before == null || before.bound() == null)) {
            bound(campaign, next);
        }
        verdicts.require(
                before == null
                        || ((before.opened() == null || next.opened() != null)
                                && (before.lastSuccess() == null || next.lastSuccess() != null)
                                && (before.closed() == null || next.closed() != null)),
                Invariant.WAVE_HISTORY,
                "wave " + next.key() + " has forgotten how far it was");
        if (next.approvedBy() != null && (before == null || !next.approvedBy().equals(before.approvedBy()))) {
            approves(campaign, next);
        }
        verdicts.require(
                before == null
                        || before.bound() == null
                        || next.bound() == null
                        || before.bound().equals(next.bound()),
                Invariant.WAVE_SHARE,
                "wave " + next.key() + " takes another share than was settled");
        verdicts.require(
                next.approvedBy() == null
                        || (before != null && next.approvedBy().equals(before.approvedBy()))
                        || decision.facts().stream()
                                .anyMatch(fact -> fact instanceof Order order
                                        && order.id().equals(next.approvedBy())
                                        && order.key()
                                                .equals(new OrderKey.Approve(
                                                        campaign.name(),
                                                        next.key().wave()))),
                Invariant.APPROVAL,
                "wave " + next.key() + " is approved by " + next.approvedBy() + ", which nobody has ordered");
    }

    private void bound(CampaignStatus campaign, WaveStatus settled) {
        for (Wave wave : campaign.accepted().spec().waves()) {
            if (wave.name().equals(settled.key().wave())
                    && !rows.anyUnreadable(campaign.accepted().spec().select().sites())) {
                long due = clusters.bound(campaign, wave);
                verdicts.require(
                        settled.bound() != null && settled.bound() == due,
                        Invariant.WAVE_SHARE,
                        "wave " + settled.key() + " takes " + settled.bound() + " millionths instead of " + due);
            }
        }
    }

    private void soaked(CampaignStatus campaign, WaveStatus closed, Instant at) {
        for (Wave wave : campaign.accepted().spec().waves()) {
            Instant last = succeeded.get(campaign.uid() + "/" + closed.key().wave());
            if (wave.name().equals(closed.key().wave()) && last != null) {
                verdicts.require(
                        !at.isBefore(last.plus(wave.soak())),
                        Invariant.SOAK,
                        "wave " + closed.key() + " is done with at " + at + ", its last success was at " + last
                                + " and it soaks for " + wave.soak());
            }
        }
    }

    private void opens(CampaignStatus campaign, WaveStatus opened) {
        List<Wave> waves = campaign.accepted().spec().waves();
        for (int i = 0; i < waves.size(); i++) {
            Wave wave = waves.get(i);
            if (wave.name().equals(opened.key().wave())) {
                verdicts.require(
                        !wave.approvedBefore() || opened.approvedBy() != null || tally(campaign, i).total == 0,
                        Invariant.APPROVAL,
                        "wave " + opened.key() + " begins without an approval");
                return;
            }
            WaveStatus earlier = rows.wave(campaign, wave.name());
            verdicts.require(
                    earlier != null && earlier.closed() != null,
                    Invariant.WAVE,
                    "wave " + opened.key() + " begins before wave " + wave.name() + " is done with");
        }
    }

    /** Whoever approves of what came of a wave can see it. */
    private void approves(CampaignStatus campaign, WaveStatus next) {
        List<Wave> waves = campaign.accepted().spec().waves();
        for (int i = 0; i < waves.size(); i++) {
            if (waves.get(i).name().equals(next.key().wave())
                    && waves.get(i).approvedAfter()
                    && !rows.isPartlyUnread(campaign)) {
                Tally tally = tally(campaign, i);
                verdicts.require(
                        next.opened() != null
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
        List<Wave> waves = campaign.accepted().spec().waves();
        for (int i = 0; i < waves.size(); i++) {
            Wave wave = waves.get(i);
            if (wave.name().equals(closed.wave())) {
                Tally tally = tally(campaign, i);
                verdicts.require(
                        (long) tally.atTarget * HUNDRED >= (long) tally.counted * wave.successPercent()
                                || tally.openAnywhere == 0,
                        Invariant.WAVE,
                        "wave " + closed + " is done with after " + tally.atTarget + " of " + tally.counted
                                + " machines");
                verdicts.require(
                        !wave.approvedAfter() || next.approvedBy() != null || tally.total == 0,
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
        Driver driver = new Driver.OfCampaign(campaign.name(), campaign.uid());
        Wave wave = campaign.accepted().spec().waves().get(index);
        Map<ClusterKey, Wave> waves = clusters.all(campaign);
        Tally tally = new Tally();
        for (MachineRow machine : rows.machines()) {
            if (!members.selected(machine, driver)
                    || rows.isLeftOut(machine.key().site(), campaign)) {
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
            tally.open += ended || optedOut ? 0 : 1;
            if (!optedOut && (entry == null || entry.outcome() != Outcome.SKIPPED)) {
                tally.counted++;
                tally.atTarget += entry != null && entry.outcome().atTarget() ? 1 : 0;
            }
        }
        return tally;
    }
}
