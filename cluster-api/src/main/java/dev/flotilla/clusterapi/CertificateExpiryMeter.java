package dev.flotilla.clusterapi;

import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.http.HealthStatus.ComponentHealth;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches the certificate that Cluster API is shown. With one that has expired no hook can be called, so every update would stop: a replica
 * that has not read its successor a day before is taken out of the Service.
 */
final class CertificateExpiryMeter {
    static final Duration READY_BEFORE_EXPIRY = Duration.ofHours(24);

    private final InstantSource clock;
    private volatile Supplier<@Nullable Instant> expiresAt = () -> null;

    CertificateExpiryMeter(InstantSource clock) {
        this.clock = clock;
    }

    /** Watches the certificate of a server that has started. */
    void watch(Supplier<@Nullable Instant> certificateExpiresAt) {
        this.expiresAt = certificateExpiresAt;
    }

    /** Returns when it expires, in seconds since the epoch; NaN without a certificate. */
    double expiryTimestampSeconds() {
        Instant instant = expiresAt.get();
        return instant == null ? Double.NaN : instant.getEpochSecond();
    }

    /** Returns the health of the certificate alone. */
    HealthStatus readiness() {
        Instant instant = expiresAt.get();
        return instant == null || instant.isAfter(clock.instant().plus(READY_BEFORE_EXPIRY))
                ? HealthStatus.healthy("ready")
                : new HealthStatus(
                        false,
                        "certificate-expires",
                        List.of(new ComponentHealth(
                                "certificate",
                                false,
                                "server.tls.certFile has a certificate that expires at " + instant
                                        + ": replace it, it is read again every 10 s")));
    }
}
