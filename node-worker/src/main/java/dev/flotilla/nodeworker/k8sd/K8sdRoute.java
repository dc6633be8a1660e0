package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.nodeworker.k8sd.trust.CertificatePin;
import dev.flotilla.nodeworker.k8sd.trust.NodeToken;

/** The route to a node's k8sd. */
public sealed interface K8sdRoute {

    /** Requests may be sent with the token to a k8sd that shows this certificate. */
    record TrustedRoute(K8sdEndpoint endpoint, CertificatePin pin, NodeToken token) implements K8sdRoute {}

    /** The certificate is not pinned yet: it must first be read through the proxy, before any token is sent. */
    record UnpinnedRoute(K8sdEndpoint endpoint) implements K8sdRoute {}

    /** There is no route now. */
    record NoRoute(String reason) implements K8sdRoute {}
}
