package dev.flotilla.schemas.row;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A check that must hold before or after a call. The site's worker runs it.
 *
 * @param blocking whether the check prevents the call or fails the attempt if it does not hold; otherwise it is only reported
 * @param timeout before a call, the timeout of one request; after a call, how long the check may take until it holds
 * @param roles the roles of the machines that it applies to; empty for all
 */
public record HealthCheck(String name, CheckProbe probe, boolean blocking, Duration timeout, List<MachineRole> roles) {
    public HealthCheck {
        roles = List.copyOf(roles);
    }

    /** Whether it applies to machines of a role. */
    public boolean appliesTo(MachineRole role) {
        return roles.isEmpty() || roles.contains(role);
    }

    /** The request of a check and its expected result. */
    public sealed interface CheckProbe {}

    /**
     * A condition that all matching objects must have; at least one object must match.
     *
     * @param management whether the objects are in the management cluster
     * @param resource in the plural, as in API paths
     * @param namespace null for all namespaces, or for objects without one
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
     * An HTTP request and its expected response.
     *
     * @param contains a text that the body must contain
     * @param pointer a pointer to a value in a JSON body (RFC 6901), which must be the text {@code equal}
     */
    public record HttpProbe(
            String url,
            int status,
            @Nullable String contains,
            @Nullable String pointer,
            @Nullable String equal) implements CheckProbe {}

    /**
     * A query of the site's Prometheus whose result must have a value, and whose values must all satisfy the threshold.
     *
     * @param threshold such as {@code <= 0.01}
     */
    public record PromQlProbe(String query, String threshold) implements CheckProbe {}

    /**
     * A CEL expression over objects of a cluster, which must be true. With a name it sees that object; otherwise each object of
     * the list in turn, of which there must be at least one, or all of them at once.
     *
     * @param management whether the objects are in the management cluster
     * @param resource in the plural, as in API paths
     * @param namespace null for all namespaces, or for objects without one
     * @param objectName null for a list
     * @param labels of a list's objects
     * @param message what a failure means, for people; null for none
     */
    public record CelProbe(
            boolean management,
            String apiVersion,
            String resource,
            @Nullable String namespace,
            @Nullable String objectName,
            Labels labels,
            String expression,
            @Nullable String message)
            implements CheckProbe {}
}
