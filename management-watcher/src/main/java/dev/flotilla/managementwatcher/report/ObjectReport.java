package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.report.Amendment.Draft;
import dev.flotilla.managementwatcher.report.Amendment.Happened;
import dev.flotilla.managementwatcher.rows.Wish;
import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.Notes;
import dev.flotilla.managementwatcher.view.View;
import dev.flotilla.managementwatcher.view.Wording;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.ObjectStatus;
import org.jspecify.annotations.Nullable;

/** What the annotations of an owner or a Cluster say of what it asked for. Where nothing was told nothing is touched. */
public final class ObjectReport {
    private ObjectReport() {}

    /**
     * What has to become different; null for nothing.
     *
     * @param status what was told; null for nothing
     * @param wish what somebody wrote on the object
     * @param intent the row that this came to
     */
    public static @Nullable Amendment of(
            View object, @Nullable ObjectStatus status, @Nullable Wish wish, @Nullable Intent intent) {
        Notes notes = object.notes();
        Draft draft = new Draft();
        if (wish != null && wish.problem() != null) {
            return amended(
                    object,
                    draft.want(Wording.STATUS, ObjectStatus.State.FAILED.label(), notes.status()),
                    0,
                    Happened.failed(wish.value(), "the option " + wish.problem()));
        }
        if (status == null
                || intent == null
                || !status.uid().equals(object.uid())
                || !status.since().equals(intent.since())) {
            // Nobody but us writes this on a Cluster: what was asked for was taken back.
            boolean stale = wish == null
                    && object instanceof ClusterView
                    && ObjectStatus.State.IN_PROGRESS.label().equals(notes.status());
            return stale ? amended(object, draft.want(Wording.STATUS, null, notes.status()), 0, null) : null;
        }
        String target = status.target().text();
        draft.want(Wording.STATUS, status.state().label(), notes.status());
        return switch (status.state()) {
            case IN_PROGRESS ->
                amended(object, draft.want(Wording.RELEASE, null, notes.release()), 0, Happened.inProgress(target));
            case FAILED ->
                amended(
                        object,
                        draft,
                        0,
                        Happened.failed(target, status.failed() + " of " + status.machines() + " machines failed"));
            case DONE -> {
                draft.want(Wording.RELEASE, target, notes.release());
                boolean fulfilled = wish != null && wish.value().equals(target);
                if (wish != null && fulfilled) {
                    draft.want(wish.key(), null, wish.value());
                }
                yield amended(object, draft, fulfilled ? object.version() : 0, Happened.done(target));
            }
        };
    }

    private static @Nullable Amendment amended(View object, Draft draft, long seen, @Nullable Happened happened) {
        return draft.isEmpty() ? null : new Amendment(object.key(), object.uid(), seen, draft.annotations(), happened);
    }
}
