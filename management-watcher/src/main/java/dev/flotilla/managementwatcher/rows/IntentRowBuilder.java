package dev.flotilla.managementwatcher.rows;

import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The rows of `intents`. An intent is known by its object, its value, and when it was seen to change. */
public final class IntentRowBuilder {
    private IntentRowBuilder() {}

    /**
     * The row that an object's wish comes to; null for none. What was fulfilled and put back at once is nobody's wish: it would be
     * taken away and put back for ever.
     *
     * @param before the row that there is
     */
    public static @Nullable UpgradeIntent buildRow(
            ObjectView objectView,
            @Nullable UpgradeAnnotation upgradeAnnotation,
            @Nullable UpgradeIntent before,
            Instant now) {
        if (upgradeAnnotation == null
                || upgradeAnnotation.problem() != null
                || objectView.notes().reappliedBy() != null) {
            return null;
        }
        UpgradeTarget option = UpgradeTarget.parse(upgradeAnnotation.value());
        return before != null && before.target().equals(option) && before.uid().equals(objectView.uid())
                ? before
                : new UpgradeIntent(objectView.key(), objectView.uid(), option, now);
    }
}
