package dev.flotilla.core.fleet;

import dev.flotilla.schemas.row.Policy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long attempts may take, by the policies.
 *
 * @param attemptDeadline after the call; null where no policy says
 * @param lostAfter how long an unknown outcome is waited for
 */
public record Times(@Nullable Duration attemptDeadline, Duration lostAfter) {

    static Times of(@Nullable Policy fleet, @Nullable Policy site) {
        Duration deadline = site != null && site.attemptDeadline() != null
                ? site.attemptDeadline()
                : fleet == null ? null : fleet.attemptDeadline();
        return new Times(deadline, lostAfter(fleet, site));
    }

    static Duration lostAfter(@Nullable Policy fleet, @Nullable Policy site) {
        Duration lost =
                site != null && site.lostAfter() != null ? site.lostAfter() : fleet == null ? null : fleet.lostAfter();
        return lost == null ? Licence.LOST_AFTER : lost;
    }
}
