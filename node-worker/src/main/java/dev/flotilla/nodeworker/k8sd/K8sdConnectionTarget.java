package dev.flotilla.nodeworker.k8sd;

import io.vertx.core.net.SocketAddress;

/**
 * How a node's k8sd is reached.
 *
 * @param host the node's address, as the header Host names it
 * @param connectTo where to connect to: the node itself, or a tunnel's near end
 * @param pin the certificate that the node must show before it sees the token
 */
public record K8sdConnectionTarget(String host, int port, SocketAddress connectTo, CertificatePin pin) {}
