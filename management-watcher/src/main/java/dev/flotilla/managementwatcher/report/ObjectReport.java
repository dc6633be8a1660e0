package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.report.Amendment.Draft;
import dev.flotilla.managementwatcher.rows.Wish;
import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.Notes;
import dev.flotilla.managementwatcher.view.View;
import dev.flotilla.managementwatcher.view.Wording;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.IntentStatus;
import org.jspecify.annotations.Nullable;

/** What the annotations of an owner or a Cluster say of what it asked for, and of an owner what its machines have. */
public final class ObjectReport {
    private final View object;
    private final Notes notes;
    private final @Nullable Wish wish;
    private final @Nullable Owned owned;
    private final boolean othersWrite;
    private final Draft draft = new Draft();
    private long seen;

    private ObjectReport(View object, @Nullable Wish wish, @Nullable Owned owned, boolean othersWrite) {
        this.object = object;
        this.notes = object.notes();
        this.wish = wish;
        this.owned = owned;
        this.othersWrite = othersWrite;
    }

    /**
     * What matters of an owner's machines.
     *
     * @param release what has to stand on the owner for them
     * @param behind whether one of them does not show yet that it is at its owner's target
     * @param failed one that failed; null for none
     */
    record Owned(
            OwnerRelease release, boolean behind, @Nullable String failed) {}

    /**
     * What has to become different; null for nothing.
     *
     * @param status what was told; null for nothing
     * @param wish what somebody wrote on the object
     * @param intent the row that this came to
     * @param owned of its machines; null for a Cluster
     * @param othersWrite whether a status that nothing was told of is somebody else's
     */
    static @Nullable Amendment of(
            View object,
            @Nullable IntentStatus status,
            @Nullable Wish wish,
            @Nullable UpgradeIntent intent,
            @Nullable Owned owned,
            boolean othersWrite) {
        ObjectReport report = new ObjectReport(object, wish, owned, othersWrite);
        boolean told = isAbout(status, object, intent);
        Happened happened = report.drafted(told ? status : null);
        return report.draft.isEmpty()
                ? null
                : new Amendment(object.key(), object.uid(), report.seen, report.draft.annotations(), happened);
    }

    /** Whether what was told is about this very wish. */
    static boolean isAbout(@Nullable IntentStatus status, View object, @Nullable UpgradeIntent intent) {
        return status != null
                && intent != null
                && status.uid().equals(object.uid())
                && status.since().equals(intent.since());
    }

    private @Nullable Happened drafted(@Nullable IntentStatus status) {
        if (owned != null) {
            draft.want(Wording.RELEASE, owned.release().release(), notes.release())
                    .want(Wording.STANDING_RELEASE, owned.release().standing(), notes.standing());
        }
        String problem = wish == null ? null : wish.problem();
        if (wish != null && problem != null) {
            return shows(IntentStatus.IntentState.FAILED) ? null : Happened.failed(wish.value(), "the option " + problem);
        }
        if (status != null) {
            return told(status);
        }
        if (wish == null
                && !othersWrite
                && IntentStatus.IntentState.IN_PROGRESS.label().equals(notes.status())) {
            // What was asked for was taken back.
            draft.want(Wording.STATUS, null, notes.status());
        }
        return null;
    }

    /** Drafts the status; returns whether it was shown before. */
    private boolean shows(IntentStatus.IntentState state) {
        draft.want(Wording.STATUS, state.label(), notes.status());
        return state.label().equals(notes.status());
    }

    private @Nullable Happened told(IntentStatus status) {
        return switch (status.state()) {
            case IN_PROGRESS -> begun(status);
            case FAILED -> shows(IntentStatus.IntentState.FAILED) ? null : failed(status);
            case DONE ->
                owned != null && owned.behind() ? null : done(status.target().text());
        };
    }

    private @Nullable Happened begun(IntentStatus status) {
        draft.want(Wording.FULFILLED, null, notes.fulfilled());
        if (owned == null) {
            draft.want(Wording.RELEASE, null, notes.release());
        }
        if (shows(IntentStatus.IntentState.IN_PROGRESS)) {
            return null;
        }
        MachineKey machine = status.currentMachine();
        return owned == null || machine == null
                ? Happened.inProgress(status.target().text())
                : Happened.inProgressFor(machine.name());
    }

    private Happened failed(IntentStatus status) {
        String machine = owned == null ? null : owned.failed();
        return machine == null
                ? Happened.failed(status.target().text(), failures(status))
                : Happened.failedFor(machine);
    }

    /** What went wrong, in numbers. */
    static String failures(IntentStatus status) {
        return status.failed() + " of " + status.machines() + " machines failed";
    }

    private @Nullable Happened done(String target) {
        boolean shown = shows(IntentStatus.IntentState.DONE);
        if (object instanceof ClusterView) {
            draft.want(Wording.RELEASE, target, notes.release());
        }
        if (wish != null && wish.value().equals(target)) {
            draft.want(wish.key(), null, wish.value()).want(Wording.FULFILLED, target, notes.fulfilled());
            seen = object.version();
        }
        return shown ? null : owned == null ? Happened.done(target) : Happened.allDone();
    }
}
