package dev.flotilla.nodeworker.node;

import dev.flotilla.schemas.id.ClusterKey;

/**
 * A node's k8sd, and where it is.
 *
 * @param node the name of its Node
 * @param host its address
 * @param port where it listens there
 */
public record K8sdEndpoint(ClusterKey cluster, String node, String host, int port) {}
