package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A site's open attempts are given up, by an order.
 *
 * @param below open attempts with a lower number are written off
 * @param order the id of the order
 * @param since when the whole site was written off, because its topics could not be used; null once they can be again, and
 *     where they could all the time
 */
public record SiteWriteOff(
        long below, String order, @Nullable Instant since) {
    /** The site's topics can be used again: what was in flight there stays written off, and the site counts again. */
    public SiteWriteOff ended() {
        return new SiteWriteOff(below, order, null);
    }
}
