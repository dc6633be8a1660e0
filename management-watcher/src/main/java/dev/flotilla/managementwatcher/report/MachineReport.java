package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.report.Amendment.Draft;
import dev.flotilla.managementwatcher.rows.Wish;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.Notes;
import dev.flotilla.managementwatcher.view.Reported;
import dev.flotilla.managementwatcher.view.Wording;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a Machine's annotations say of its upgrade. The provider writes four times for one upgrade; this writes twice: when the
 * node has begun, and when it is over. It converges: from whatever is there, to what the tables say.
 */
public final class MachineReport {
    private final MachineView machine;
    private final Notes notes;
    private final @Nullable Told told;
    private final @Nullable Wish wish;
    private final @Nullable UpgradeIntent intent;

    private MachineReport(MachineView machine, @Nullable Told told, @Nullable Wish wish, @Nullable UpgradeIntent intent) {
        this.machine = machine;
        this.notes = machine.notes();
        this.told = told != null && told.row().uid().equals(machine.uid()) ? told : null;
        this.wish = wish;
        this.intent = intent;
    }

    /**
     * What has to become different; null for nothing.
     *
     * @param wish what somebody wrote on the machine
     * @param intent the row that this came to
     */
    public static @Nullable Amendment of(
            MachineView machine, @Nullable Told told, @Nullable Wish wish, @Nullable UpgradeIntent intent) {
        return new MachineReport(machine, told, wish, intent).amendment();
    }

    private @Nullable Amendment amendment() {
        UpgradeAttempt open = told == null ? null : told.row().attempt();
        if (open != null) {
            return open.state() instanceof AttemptState.Running running && running.changeId() != null
                    ? begun(open, running.changeId())
                    : isOf(open) || open.state() instanceof AttemptState.Unknown ? null : left();
        }
        if (wish != null && wish.problem() != null) {
            return refused(wish);
        }
        RolloutEntry entry = told == null ? null : entry(told);
        if (told != null && told.shown() && !(entry != null && wish != null && isAsked(entry.rolloutRef()))) {
            return left();
        }
        if (entry != null && entry.outcome().isAtTarget()) {
            return done(entry);
        }
        AttemptFailure failure = told == null ? null : told.row().lastFailure();
        return entry != null && failure != null && isFailed(entry) ? failed(entry, failure) : left();
    }

    private static boolean isFailed(RolloutEntry entry) {
        return entry.outcome() == MachineOutcome.QUARANTINED
                || (entry.outcome() == MachineOutcome.OPEN && entry.failedAttempts() > 0);
    }

    private boolean isOf(UpgradeAttempt open) {
        Reported reported = Reported.read(notes.reported());
        return reported != null && reported.attempt() == open.id();
    }

    /** That of the latest attempt; where nobody heard of it, the one that ended. */
    private static @Nullable RolloutEntry entry(Told told) {
        RolloutEntry found = null;
        for (RolloutEntry entry : told.row().entries()) {
            boolean latest = told.latest() == null
                    ? entry.outcome() != MachineOutcome.SKIPPED
                    : entry.rolloutRef().equals(told.latest().rolloutRef());
            found = latest ? entry : found;
        }
        return found;
    }

    private @Nullable Amendment refused(Wish asked) {
        return amended(
                new Draft().want(Wording.STATUS, "failed", notes.status()),
                0,
                Happened.failed(asked.value(), "the option " + asked.problem()));
    }

    private @Nullable Amendment begun(UpgradeAttempt attempt, String changeId) {
        String target = attempt.target().text();
        String reported = new Reported(attempt.id(), changeId, target).text();
        return amended(
                new Draft()
                        .want(Wording.STATUS, "in-progress", notes.status())
                        .want(Wording.CHANGE_ID, changeId, notes.changeId())
                        .want(Wording.REPORTED, reported, notes.reported())
                        .want(Wording.FULFILLED, null, notes.fulfilled())
                        .want(Wording.RELEASE, null, notes.release()),
                0,
                isAsked(attempt.rolloutRef()) ? Happened.inProgress(target) : null);
    }

    private @Nullable Amendment done(RolloutEntry entry) {
        String target = target(entry);
        if (target == null) {
            return left();
        }
        Draft draft = withoutOurs(new Draft());
        boolean overtaken = isOvertaken();
        if (!overtaken) {
            draft.want(Wording.STATUS, "done", notes.status())
                    .want(Wording.RELEASE, target, notes.release())
                    .want(Wording.LAST_FAILED, null, notes.lastFailed());
        }
        boolean fulfilled =
                wish != null && isAsked(entry.rolloutRef()) && wish.value().equals(target);
        boolean asked = wish != null && fulfilled && wish.isOnObject();
        if (wish != null && asked) {
            draft.want(wish.key(), null, wish.value()).want(Wording.FULFILLED, target, notes.fulfilled());
        }
        Happened happened = isAsked(entry.rolloutRef()) ? Happened.done(target) : Happened.doneAmongOthers(target);
        return amended(draft, asked ? machine.version() : 0, overtaken ? null : happened);
    }

    /** Whether somebody else upgraded the machine after what was told: its release is newer than ours. */
    private boolean isOvertaken() {
        Instant theirs = notes.releasedByOthers();
        return told != null && theirs != null && theirs.isAfter(told.at());
    }

    /** What it was upgraded to: as it was heard, as its row says, as we wrote it down, or as somebody still asks for it. */
    private @Nullable String target(RolloutEntry entry) {
        UpgradeAttempt latest = told == null ? null : told.latest();
        UpgradeTarget known = latest == null ? entry.target() : latest.target();
        if (known != null) {
            return known.text();
        }
        Reported reported = notes.isChangeOurs() ? Reported.read(notes.reported()) : null;
        if (reported != null) {
            return reported.target();
        }
        return intent != null && isAsked(entry.rolloutRef()) ? intent.target().text() : null;
    }

    private boolean isAsked(RolloutRef rolloutRef) {
        return intent != null
                && rolloutRef instanceof RolloutRef.IntentRef asked
                && asked.object().equals(machine.key())
                && asked.since().equals(intent.since());
    }

    private @Nullable Amendment failed(RolloutEntry entry, AttemptFailure failure) {
        if (isOvertaken()) {
            return left();
        }
        String target = target(entry);
        Draft draft = withoutOurs(new Draft())
                .want(Wording.STATUS, "failed", notes.status())
                .want(Wording.LAST_FAILED, GoTime.of(failure.failedAt()), notes.lastFailed());
        return amended(
                draft,
                0,
                Happened.failed(target == null ? "" : target, failure.reason().label() + ": " + failure.text()));
    }

    /** Nothing is known of it, or nothing came of it: what we wrote while it went on goes. */
    private @Nullable Amendment left() {
        return notes.isChangeOurs()
                ? amended(withoutOurs(new Draft()).want(Wording.STATUS, null, notes.status()), 0, null)
                : null;
    }

    private Draft withoutOurs(Draft draft) {
        if (notes.isChangeOurs()) {
            draft.want(Wording.CHANGE_ID, null, notes.changeId());
        }
        return draft.want(Wording.REPORTED, null, notes.reported());
    }

    private @Nullable Amendment amended(Draft draft, long seen, @Nullable Happened happened) {
        return draft.isEmpty()
                ? null
                : new Amendment(machine.key(), machine.uid(), seen, draft.annotations(), happened);
    }
}
