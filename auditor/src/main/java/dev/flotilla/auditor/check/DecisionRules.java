package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.Attempt;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.Command;
import dev.flotilla.auditor.wire.Fact;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.Place;
import dev.flotilla.auditor.wire.Topic;
import dev.flotilla.auditor.wire.WaveStatus;
import java.util.Set;

/** All rules about one decision on the rows before it; then its facts become the rows. */
final class DecisionRules {
    /** The journal's own business: nothing is decided by them. */
    private static final Set<String> CHAPTERS = Set.of(JournalRecord.CHAPTER_BEGUN, JournalRecord.CHAPTER_COMPLETED);

    private final Fleet fleet;
    private final Attempts attempts;
    private final OrderRules orders;
    private final AttemptRules machines;
    private final WaveRules waves;
    private final StopRules stops;
    private final TimerRules timers;

    DecisionRules(Fleet fleet, Findings findings, Attempts attempts, EndRules ends) {
        this.fleet = fleet;
        this.attempts = attempts;
        this.orders = new OrderRules(fleet, findings);
        this.machines = new AttemptRules(fleet, findings, attempts, ends, orders);
        this.waves = new WaveRules(fleet, findings);
        this.stops = new StopRules(fleet, findings);
        this.timers = new TimerRules(fleet, findings);
    }

    void check(JournalRecord decision, long append) {
        if (!CHAPTERS.contains(decision.event())) {
            orders.before(decision);
            timers.check(decision);
            stops.check(decision, append);
            machines.check(decision, append);
            for (Fact fact : decision.facts()) {
                if (fact.row() instanceof WaveStatus wave) {
                    waves.check(wave, decision.time());
                } else if (fact.row() instanceof MachineStatus status) {
                    waves.status(status, decision.time());
                    Attempt attempt = status.attempt();
                    if (attempt != null && attempt.number() == decision.seq()) {
                        waves.start(status, attempt);
                    }
                } else if (fact.row() instanceof CampaignStatus campaign
                        && campaign.state().equals("completed")) {
                    waves.completes(campaign);
                }
            }
        }
        decision.facts().forEach(fleet::put);
        orders.after(decision);
    }

    /** Opens the books of attempts that were open at the base. */
    void openBooks() {
        for (String machine : fleet.flights().attempts()) {
            MachineStatus status = fleet.status(machine);
            Attempt attempt = status == null ? null : status.attempt();
            if (status != null && attempt != null) {
                AttemptBook book = new AttemptBook(attempt.number(), machine, status.uid());
                book.partial = true;
                String key = "machine/" + machine.substring(machine.indexOf('/') + 1);
                if (fleet.command(new Place(new Topic("commands", status.site()), key)) instanceof Command.Upgrade up
                        && up.attempt() == attempt.number()) {
                    book.command(up);
                }
                attempts.open(book);
            }
        }
    }
}
