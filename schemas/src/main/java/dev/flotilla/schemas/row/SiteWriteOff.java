package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A site's open attempts are given up, by an order.
 *
 * @param beforeAttempt open attempts with a lower number are written off
 * @param orderId the id of the order
 * @param since when the whole site was written off, because its topics could not be used; null once they can be again, and
 *     where they could all the time
 */
public record SiteWriteOff(
        long beforeAttempt, String orderId, @Nullable Instant since) {
    /** The site's topics can be used again: what was in flight there stays written off, and the site counts again. */
    public SiteWriteOff withSiteReachable() {
        return new SiteWriteOff(beforeAttempt, orderId, null);
    }
}
