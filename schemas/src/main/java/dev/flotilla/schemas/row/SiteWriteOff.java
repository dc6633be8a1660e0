package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A write-off of a site's open attempts, by an order.
 *
 * @param beforeAttempt open attempts with a lower id are written off
 * @param orderId the id of the order
 * @param since when the whole site was written off, because its topics could not be used; null once they can be used again, and
 *     if they always could
 */
public record SiteWriteOff(
        long beforeAttempt, String orderId, @Nullable Instant since) {
    /** Returns a copy for a resumed site: attempts that were written off stay written off, and the site counts again. */
    public SiteWriteOff withSiteReachable() {
        return new SiteWriteOff(beforeAttempt, orderId, null);
    }
}
