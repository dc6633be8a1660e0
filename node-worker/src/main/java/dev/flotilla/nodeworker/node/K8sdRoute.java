package dev.flotilla.nodeworker.node;

import dev.flotilla.nodeworker.k8sd.CertificatePin;
import dev.flotilla.nodeworker.management.NodeToken;

/** The way to a node's k8sd. */
public sealed interface K8sdRoute {

    /** Ask there, with that, whoever shows this certificate. */
    record TrustedRoute(K8sdEndpoint endpoint, CertificatePin pin, NodeToken token) implements K8sdRoute {}

    /** Nobody has seen its certificate: see it first, through the proxy, and pin it. No token before. */
    record UnpinnedRoute(K8sdEndpoint endpoint) implements K8sdRoute {}

    /** There is none for now. */
    record NoRoute(String reason) implements K8sdRoute {}
}
