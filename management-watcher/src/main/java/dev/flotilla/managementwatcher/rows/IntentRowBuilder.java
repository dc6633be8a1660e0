package dev.flotilla.managementwatcher.rows;

import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.UpgradeAnnotation;
import dev.flotilla.managementwatcher.view.UpgradeTaskRequest;
import dev.flotilla.schemas.row.NodeUpgraderRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.UpgradeTaskRef;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds the rows of the table {@code intents}. An intent is identified by its object, its value, its UpgradeTask, and
 * when it was seen to change.
 */
public final class IntentRowBuilder {
    private IntentRowBuilder() {}

    /**
     * Builds the row for an object; null for none. An annotation on the object goes before an UpgradeTask, and that
     * before the default release of its owner. A reapplied annotation has no row: it would be fulfilled, removed and
     * reapplied again and again.
     *
     * @param taskRequest what an UpgradeTask requests of a machine; null for nothing
     * @param before the existing row
     */
    public static @Nullable UpgradeIntent buildRow(
            ObjectView objectView,
            @Nullable UpgradeAnnotation upgradeAnnotation,
            @Nullable UpgradeTaskRequest taskRequest,
            @Nullable UpgradeIntent before,
            Instant now) {
        boolean reapplied = objectView.annotations().reappliedBy() != null;
        boolean annotated = upgradeAnnotation != null && upgradeAnnotation.isOnObject() && !reapplied;
        if (taskRequest != null && !annotated) {
            UpgradeIntent intent = keepIfSame(
                    objectView, taskRequest.target(), taskRequest.task(), taskRequest.upgrader(), before, now);
            return intent.withExpectedVersion(taskRequest.expectedVersion());
        }
        return upgradeAnnotation == null || upgradeAnnotation.target() == null || reapplied
                ? null
                : keepIfSame(objectView, upgradeAnnotation.target(), null, null, before, now);
    }

    private static UpgradeIntent keepIfSame(
            ObjectView objectView,
            UpgradeTarget target,
            @Nullable UpgradeTaskRef task,
            @Nullable NodeUpgraderRef upgrader,
            @Nullable UpgradeIntent before,
            Instant now) {
        return before != null
                        && before.target().equals(target)
                        && before.uid().equals(objectView.uid())
                        && Objects.equals(before.task(), task)
                        && Objects.equals(before.upgrader(), upgrader)
                ? before
                : new UpgradeIntent(objectView.key(), objectView.uid(), target, now, task, upgrader, null);
    }
}
