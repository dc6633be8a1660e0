package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.schemas.id.ClusterKey;

/**
 * The address of a node's k8sd.
 *
 * @param node name of the Node
 * @param host address of the node
 * @param port port at which k8sd listens there
 */
public record K8sdEndpoint(ClusterKey cluster, String node, String host, int port) {}
