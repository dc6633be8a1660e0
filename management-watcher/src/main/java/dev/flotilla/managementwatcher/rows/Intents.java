package dev.flotilla.managementwatcher.rows;

import dev.flotilla.managementwatcher.view.View;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The rows of `intents`. An intent is known by its object, its value, and when it was seen to change. */
public final class Intents {
    private Intents() {}

    /**
     * The row that an object's wish comes to; null for none. What was fulfilled and put back at once is nobody's wish: it would be
     * taken away and put back for ever.
     *
     * @param before the row that there is
     */
    public static @Nullable UpgradeIntent row(View view, @Nullable Wish wish, @Nullable UpgradeIntent before, Instant now) {
        if (wish == null || wish.problem() != null || view.notes().putBackBy() != null) {
            return null;
        }
        UpgradeTarget option = UpgradeTarget.parse(wish.value());
        return before != null && before.target().equals(option) && before.uid().equals(view.uid())
                ? before
                : new UpgradeIntent(view.key(), view.uid(), option, now);
    }
}
