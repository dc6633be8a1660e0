package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long the leader waits for an attempt, and how often it tries a machine: checked from one machine status to the
 * next.
 */
final class AttemptLimitInvariants {
    private static final Duration LOST_AFTER = Duration.ofHours(2);

    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;

    AttemptLimitInvariants(ReferenceFleetState rows, ViolationLog violationLog) {
        this.rows = rows;
        this.violationLog = violationLog;
    }

    void check(MachineStatus before, MachineStatus after, Instant at) {
        UpgradeAttempt known = before.attempt();
        if (known != null
                && after.attempt() != null
                && known.id() == after.attempt().id()) {
            checkOpenAttempt(before, known, after.attempt(), at);
        } else if (known != null) {
            checkEndedAttempt(before, after, known, at);
        }
        if (before.uid().equals(after.uid())) {
            after.entries().forEach(entry -> requireFailuresKept(before, after, entry));
        }
    }

    private void checkOpenAttempt(MachineStatus machine, UpgradeAttempt known, UpgradeAttempt now, Instant at) {
        if (now.state() instanceof AttemptState.Unknown unknown) {
            boolean sinceIsRight = known.state() instanceof AttemptState.Unknown earlier
                    ? unknown.since().equals(earlier.since())
                    : unknown.since().equals(at);
            violationLog.require(
                    sinceIsRight,
                    Invariant.ATTEMPT_TIME,
                    machine.key() + " attempt " + now.id() + " has an unknown outcome at " + at
                            + ", but its row says since " + unknown.since());
        }
        if (known.state() instanceof AttemptState.Running earlier
                && now.state() instanceof AttemptState.Running running
                && earlier.step().mayHaveCalled()) {
            violationLog.require(
                    !running.deadline().isAfter(earlier.deadline()),
                    Invariant.ATTEMPT_TIME,
                    machine.key() + " attempt " + now.id() + " had the deadline " + earlier.deadline()
                            + " and has the later deadline " + running.deadline() + " since its next step");
        }
    }

    private void checkEndedAttempt(MachineStatus before, MachineStatus after, UpgradeAttempt known, Instant at) {
        AttemptFailure failure = after.lastFailure();
        RolloutEntry earlier = ReferenceFleetState.entry(before, known.rolloutRef());
        RolloutEntry entry = ReferenceFleetState.entry(after, known.rolloutRef());
        if (failure == null || failure.attemptId() != known.id() || entry == null || earlier == null) {
            return;
        }
        if (failure.reason() == FailureReason.NO_REPORT) {
            violationLog.require(
                    known.state() instanceof AttemptState.Unknown unknown
                            && !at.isBefore(
                                    unknown.since().plus(lostAfter(before.key().site()))),
                    Invariant.ATTEMPT_TIME,
                    before.key() + " attempt " + known.id() + " was counted as lost at " + at + ", but its state was "
                            + known.state());
        }
        int failures = earlier.failedAttempts() + 1;
        violationLog.require(
                entry.failedAttempts() == failures,
                Invariant.FAILURES,
                before.key() + " failed for the " + failures + ". time, but its row counts " + entry.failedAttempts());
        RetryRule rule = retries(before.key().site(), known.rolloutRef());
        if (rule != null && entry.outcome() != MachineOutcome.SKIPPED) {
            boolean last = failure.failureClass() == FailureClass.TERMINAL || failures >= rule.maxAttempts();
            violationLog.require(
                    (entry.outcome() == MachineOutcome.QUARANTINED) == last,
                    Invariant.FAILURES,
                    before.key() + " failed for the " + failures + ". time of " + rule.maxAttempts() + " ("
                            + failure.failureClass() + ") and is " + entry.outcome());
        }
    }

    /** Failures are reset only when an order lifts a quarantine. */
    private void requireFailuresKept(MachineStatus before, MachineStatus after, RolloutEntry entry) {
        RolloutEntry known = ReferenceFleetState.entry(before, entry.rolloutRef());
        violationLog.require(
                known == null
                        || known.outcome() == MachineOutcome.QUARANTINED
                        || entry.outcome().isAtTarget()
                        || entry.failedAttempts() >= known.failedAttempts(),
                Invariant.FAILURES,
                after.key() + " has failed " + (known == null ? 0 : known.failedAttempts()) + " times for "
                        + entry.rolloutRef() + ", but its row counts " + entry.failedAttempts());
    }

    private @Nullable RetryRule retries(SiteId site, RolloutRef rolloutRef) {
        if (rolloutRef instanceof RolloutRef.IntentRef intent) {
            UpgradeIntent current = rows.intent(intent.object());
            boolean same = current != null && current.requestedAt().equals(intent.requestedAt());
            return same ? rows.intentRule(site).retryRule() : null;
        }
        CampaignStatus campaign = rows.campaign(rolloutRef);
        return campaign == null ? null : campaign.acceptedCampaign().spec().retries();
    }

    private Duration lostAfter(SiteId site) {
        UpgradePolicy own = rows.policy(site);
        UpgradePolicy fleet = rows.policy(FleetScope.FLEET);
        UpgradePolicy rule = own != null && own.lostAfter() != null ? own : fleet;
        return rule == null || rule.lostAfter() == null ? LOST_AFTER : rule.lostAfter();
    }
}
