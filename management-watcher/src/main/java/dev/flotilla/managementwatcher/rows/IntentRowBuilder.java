package dev.flotilla.managementwatcher.rows;

import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.UpgradeAnnotation;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Builds the rows of the table {@code intents}. An intent is identified by its object, its value and when it was seen
 * to change.
 */
public final class IntentRowBuilder {
    private IntentRowBuilder() {}

    /**
     * Builds the row for an object's upgrade annotation; null for none. A reapplied annotation has no row: it would be
     * fulfilled, removed and reapplied again and again.
     *
     * @param before the existing row
     */
    public static @Nullable UpgradeIntent buildRow(
            ObjectView objectView,
            @Nullable UpgradeAnnotation upgradeAnnotation,
            @Nullable UpgradeIntent before,
            Instant now) {
        if (upgradeAnnotation == null
                || upgradeAnnotation.target() == null
                || objectView.annotations().reappliedBy() != null) {
            return null;
        }
        UpgradeTarget target = upgradeAnnotation.target();
        return before != null && before.target().equals(target) && before.uid().equals(objectView.uid())
                ? before
                : new UpgradeIntent(objectView.key(), objectView.uid(), target, now);
    }
}
