package dev.flotilla.nodeworker.k8sd;

import io.vertx.core.net.SocketAddress;

/**
 * The target of a connection to a node's k8sd.
 *
 * @param host address of the node, as in the Host header
 * @param connectTo address to connect to: the node itself, or the local end of a tunnel
 * @param pin certificate that the node must show before it gets the token
 */
public record K8sdConnectionTarget(String host, int port, SocketAddress connectTo, CertificatePin pin) {}
