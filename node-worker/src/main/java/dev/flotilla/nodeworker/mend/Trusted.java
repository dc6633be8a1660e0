package dev.flotilla.nodeworker.mend;

import dev.flotilla.nodeworker.pins.Bearer;
import dev.flotilla.nodeworker.pins.Pins;
import dev.flotilla.schemas.id.ClusterKey;

/**
 * What is known of the certificate of a cluster's machine.
 *
 * @param bearer the members of a control plane share one
 */
public record Trusted(ClusterKey cluster, Bearer bearer, Pins.Trust trust) {}
