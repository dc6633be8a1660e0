package dev.flotilla.schemas.row;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must hold before a call or after it. The site's worker asks.
 *
 * @param blocking whether one that does not hold stops the call, or fails the attempt; else it is only told
 * @param timeout how long an answer before a call may take; after it, how long the check may take to hold
 * @param roles the machines around whose call it is asked; none for all
 */
public record HealthCheck(String name, CheckProbe probe, boolean blocking, Duration timeout, List<MachineRole> roles) {
    public HealthCheck {
        roles = List.copyOf(roles);
    }

    /** Whether it is asked around the call of such a machine. */
    public boolean appliesTo(MachineRole role) {
        return roles.isEmpty() || roles.contains(role);
    }

    /** What is asked, and what is expected. */
    public sealed interface CheckProbe {}

    /**
     * Objects that bear a condition: there is one at least, and all do.
     *
     * @param management whether they are in the management cluster
     * @param resource in the plural, as paths name it
     * @param namespace null for all, or for objects without one
     */
    public record ObjectConditionProbe(
            boolean management,
            String apiVersion,
            String resource,
            @Nullable String namespace,
            Labels labels,
            String type,
            String status)
            implements CheckProbe {}

    /**
     * An answer over HTTP.
     *
     * @param contains a part of the body
     * @param pointer to a value in a JSON body (RFC 6901), which is to be the text {@code equal}
     */
    public record HttpProbe(
            String url,
            int status,
            @Nullable String contains,
            @Nullable String pointer,
            @Nullable String equal) implements CheckProbe {}

    /**
     * A query of the site's Prometheus that gives a value at least, and only such ones.
     *
     * @param threshold such as {@code <= 0.01}
     */
    public record PromQlProbe(String query, String threshold) implements CheckProbe {}
}
