package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeResponse;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Sends requests at a limited rate. */
final class PacedRequestSender {
    private final WriteRateLimiter writeRateLimiter;

    PacedRequestSender(WriteRateLimiter writeRateLimiter) {
        this.writeRateLimiter = writeRateLimiter;
    }

    KubeResponse sendPaced(Supplier<KubeResponse> request) {
        try {
            TimeUnit.NANOSECONDS.sleep(writeRateLimiter.acquirePermit());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new KubeResponse.NoResponse("interrupted");
        }
        KubeResponse reply = request.get();
        if (reply instanceof KubeResponse.ErrorResponse errorResponse && errorResponse.retryAfterSeconds() > 0) {
            writeRateLimiter.pauseWrites(errorResponse.retryAfterSeconds());
        }
        return reply;
    }
}
