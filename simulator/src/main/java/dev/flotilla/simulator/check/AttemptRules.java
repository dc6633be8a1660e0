package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.RetryRule;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How long an attempt is waited for, and how often a machine is tried: counted from one status row to the next. */
final class AttemptRules {
    private static final Duration LOST_AFTER = Duration.ofHours(2);

    private final Recount rows;
    private final Verdicts verdicts;

    AttemptRules(Recount rows, Verdicts verdicts) {
        this.rows = rows;
        this.verdicts = verdicts;
    }

    void check(MachineStatus before, MachineStatus after, Instant at) {
        Attempt known = before.attempt();
        if (known != null
                && after.attempt() != null
                && known.number() == after.attempt().number()) {
            goesOn(before, known, after.attempt(), at);
        } else if (known != null) {
            ends(before, after, known, at);
        }
        if (before.uid().equals(after.uid())) {
            after.entries().forEach(entry -> keepsFailures(before, after, entry));
        }
    }

    private void goesOn(MachineStatus machine, Attempt known, Attempt now, Instant at) {
        if (now.state() instanceof AttemptState.Unknown unknown) {
            boolean since = known.state() instanceof AttemptState.Unknown earlier
                    ? unknown.since().equals(earlier.since())
                    : unknown.since().equals(at);
            verdicts.require(
                    since,
                    Invariant.ATTEMPT_TIME,
                    machine.key() + " attempt " + now.number() + " is of unknown outcome at " + at
                            + ", its row says since " + unknown.since());
        }
        if (known.state() instanceof AttemptState.Running earlier
                && now.state() instanceof AttemptState.Running running
                && earlier.step().mayHaveCalled()) {
            verdicts.require(
                    !running.deadline().isAfter(earlier.deadline()),
                    Invariant.ATTEMPT_TIME,
                    machine.key() + " attempt " + now.number() + " had until " + earlier.deadline() + " and has until "
                            + running.deadline() + " since its next step");
        }
    }

    private void ends(MachineStatus before, MachineStatus after, Attempt known, Instant at) {
        Failure failure = after.lastFailure();
        Entry earlier = Recount.entry(before, known.driver());
        Entry entry = Recount.entry(after, known.driver());
        if (failure == null || failure.attempt() != known.number() || entry == null || earlier == null) {
            return;
        }
        if (failure.reason() == FailureReason.NO_WORD) {
            verdicts.require(
                    known.state() instanceof AttemptState.Unknown unknown
                            && !at.isBefore(
                                    unknown.since().plus(lostAfter(before.key().site()))),
                    Invariant.ATTEMPT_TIME,
                    before.key() + " attempt " + known.number() + " was given up on at " + at + ", it was "
                            + known.state());
        }
        int failures = earlier.failedAttempts() + 1;
        verdicts.require(
                entry.failedAttempts() == failures,
                Invariant.FAILURES,
                before.key() + " failed for the " + failures + ". time, its row says " + entry.failedAttempts());
        RetryRule rule = retries(before.key().site(), known.driver());
        if (rule != null && entry.outcome() != Outcome.SKIPPED) {
            boolean last = failure.failureClass() == FailureClass.TERMINAL || failures >= rule.attempts();
            verdicts.require(
                    (entry.outcome() == Outcome.QUARANTINED) == last,
                    Invariant.FAILURES,
                    before.key() + " failed for the " + failures + ". time of " + rule.attempts() + " ("
                            + failure.failureClass() + ") and is " + entry.outcome());
        }
    }

    /** Failures are forgotten with a quarantine that an order lifts, and otherwise never. */
    private void keepsFailures(MachineStatus before, MachineStatus after, Entry entry) {
        Entry known = Recount.entry(before, entry.driver());
        verdicts.require(
                known == null
                        || known.outcome() == Outcome.QUARANTINED
                        || entry.outcome().atTarget()
                        || entry.failedAttempts() >= known.failedAttempts(),
                Invariant.FAILURES,
                after.key() + " has failed " + (known == null ? 0 : known.failedAttempts()) + " times for "
                        + entry.driver() + ", its row says " + entry.failedAttempts());
    }

    private @Nullable RetryRule retries(SiteId site, Driver driver) {
        if (driver instanceof Driver.OfIntent intent) {
            Intent asked = rows.intent(intent.object());
            boolean same = asked != null && asked.since().equals(intent.since());
            return same ? rows.intentRule(site).retries() : null;
        }
        CampaignStatus campaign = rows.campaign(driver);
        return campaign == null ? null : campaign.accepted().spec().retries();
    }

    private Duration lostAfter(SiteId site) {
        Policy own = rows.policy(site);
        Policy fleet = rows.policy(Fleet.FLEET);
        Policy rule = own != null && own.lostAfter() != null ? own : fleet;
        return rule == null || rule.lostAfter() == null ? LOST_AFTER : rule.lostAfter();
    }
}
