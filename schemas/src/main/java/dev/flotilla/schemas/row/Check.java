package dev.flotilla.schemas.row;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must hold before a call or after it. The site's worker asks.
 *
 * @param blocking whether one that does not hold stops the call, or fails the attempt; else it is only told
 * @param within how long an answer before a call may take; after it, how long the check may take to hold
 * @param roles the machines around whose call it is asked; none for all
 */
public record Check(String name, Probe probe, boolean blocking, Duration within, List<Role> roles) {
    public Check {
        roles = List.copyOf(roles);
    }

    /** Whether it is asked around the call of such a machine. */
    public boolean concerns(Role role) {
        return roles.isEmpty() || roles.contains(role);
    }

    /** What is asked, and what is expected. */
    public sealed interface Probe {}

    /**
     * Objects that bear a condition: there is one at least, and all do.
     *
     * @param management whether they are in the management cluster
     * @param resource in the plural, as paths name it
     * @param namespace null for all, or for objects without one
     */
    public record Condition(
            boolean management,
            String apiVersion,
            String resource,
            @Nullable String namespace,
            Labels labels,
            String type,
            String status)
            implements Probe {}

    /**
     * An answer over HTTP.
     *
     * @param contains a part of the body
     * @param pointer to a value in a JSON body (RFC 6901), which is to be the text {@code equal}
     */
    public record Http(
            String url,
            int status,
            @Nullable String contains,
            @Nullable String pointer,
            @Nullable String equal) implements Probe {}

    /**
     * A query of the site's Prometheus that gives a value at least, and only such ones.
     *
     * @param expect such as {@code <= 0.01}
     */
    public record PromQl(String query, String expect) implements Probe {}
}
