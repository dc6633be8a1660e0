package dev.flotilla.nodeworker.node;

import dev.flotilla.nodeworker.k8sd.CertificatePin;
import dev.flotilla.nodeworker.management.ManagementClusterClient.K8sdPortResult;
import dev.flotilla.nodeworker.management.NodeToken;
import dev.flotilla.nodeworker.management.NodeTokenReader;
import dev.flotilla.nodeworker.node.NodeLocator.NodeReference;
import dev.flotilla.nodeworker.pins.CertificatePinKey;
import dev.flotilla.nodeworker.pins.CertificatePinStore;
import org.jspecify.annotations.Nullable;

/** Finds the route to the k8sd of an attempt's machine: its port, its certificate pin and its token. */
final class K8sdRouteResolver {
    private final SiteClusters siteClusters;
    private final UpgradeAttemptParameters upgradeAttemptParameters;
    private @Nullable K8sdPortResult port;
    private @Nullable K8sdEndpoint endpoint;
    private boolean useOwnPort;

    K8sdRouteResolver(SiteClusters siteClusters, UpgradeAttemptParameters upgradeAttemptParameters) {
        this.siteClusters = siteClusters;
        this.upgradeAttemptParameters = upgradeAttemptParameters;
    }

    K8sdRoute resolveRoute(NodeReference reference, String address) {
        return switch (findPort(reference)) {
            case K8sdPortResult.UnknownPort unknownPort -> new K8sdRoute.NoRoute(unknownPort.reason());
            case K8sdPortResult.KnownPort knownPort -> {
                K8sdEndpoint k8sdEndpoint =
                        new K8sdEndpoint(reference.cluster(), reference.node(), address, knownPort.port());
                endpoint = k8sdEndpoint;
                yield findTrustedRoute(reference, k8sdEndpoint);
            }
        };
    }

    /** Returns the route found before if all parts are cached; else null. */
    @Nullable
    K8sdRoute cachedRoute(NodeReference reference) {
        K8sdEndpoint k8sdEndpoint = endpoint;
        if (k8sdEndpoint == null || !k8sdEndpoint.host().equals(reference.address())) {
            return null;
        }
        CertificatePin certificatePin = siteClusters.pins.cachedPin(reference.cluster(), pinKeyOf(reference));
        NodeToken token = certificatePin == null
                ? null
                : siteClusters.tokens.cachedToken(reference.cluster(), upgradeAttemptParameters.key());
        return certificatePin == null || token == null
                ? null
                : new K8sdRoute.TrustedRoute(k8sdEndpoint, certificatePin, token);
    }

    private K8sdPortResult findPort(NodeReference reference) {
        K8sdPortResult known = port;
        if (known instanceof K8sdPortResult.KnownPort) {
            return known;
        }
        Integer fixed = siteClusters.settings.k8sdPort();
        K8sdPortResult read = fixed != null || siteClusters.settings.transport() == K8sdTransportSetting.PROXY
                // The proxy knows the port itself.
                ? new K8sdPortResult.KnownPort(fixed == null ? SiteUpgradeSettings.DEFAULT_K8SD_PORT : fixed, false)
                : useOwnPort
                        ? siteClusters.machines.k8sdPort(reference.machine(), SiteUpgradeSettings.DEFAULT_K8SD_PORT)
                        : siteClusters.machines.likelyPort(reference.machine(), SiteUpgradeSettings.DEFAULT_K8SD_PORT);
        port = read;
        return read;
    }

    /**
     * Reacts to a k8sd that does not listen where those of other machines of its owner do. Returns whether it may
     * listen elsewhere, at the port of its own configuration.
     */
    boolean mayListenElsewhere() {
        if (!(port instanceof K8sdPortResult.KnownPort knownPort) || !knownPort.fromOtherMachine()) {
            return false;
        }
        port = null;
        endpoint = null;
        useOwnPort = true;
        return true;
    }

    private K8sdRoute findTrustedRoute(NodeReference reference, K8sdEndpoint k8sdEndpoint) {
        return switch (siteClusters.pins.readTrust(reference.cluster(), pinKeyOf(reference))) {
            case CertificatePinStore.CertificateTrust.TrustUnknown trustUnknown ->
                new K8sdRoute.NoRoute(trustUnknown.reason());
            case CertificatePinStore.CertificateTrust.CertificateUnpinned certificateUnpinned ->
                new K8sdRoute.UnpinnedRoute(k8sdEndpoint);
            case CertificatePinStore.CertificateTrust.CertificatePinned certificatePinned ->
                switch (siteClusters.tokens.readToken(reference.cluster(), upgradeAttemptParameters.key())) {
                    case NodeTokenReader.NodeTokenResult.TokenUnavailable tokenUnavailable ->
                        new K8sdRoute.NoRoute(tokenUnavailable.reason());
                    case NodeTokenReader.NodeTokenResult.TokenFound tokenFound ->
                        new K8sdRoute.TrustedRoute(k8sdEndpoint, certificatePinned.pin(), tokenFound.token());
                };
        };
    }

    /** Pins the certificate that was shown at first contact. Returns why it is not trusted; null if it is. */
    @Nullable
    String pinCertificate(NodeReference reference, CertificatePin shown) {
        return switch (siteClusters.pins.pinFirstSeen(reference.cluster(), pinKeyOf(reference), shown)) {
            case CertificatePinStore.CertificateTrust.CertificatePinned certificatePinned -> null;
            case CertificatePinStore.CertificateTrust.CertificateUnpinned certificateUnpinned ->
                "the certificate was not pinned";
            case CertificatePinStore.CertificateTrust.TrustUnknown trustUnknown -> trustUnknown.reason();
        };
    }

    private CertificatePinKey pinKeyOf(NodeReference reference) {
        return CertificatePinKey.holderOf(upgradeAttemptParameters.key().name(), reference.machine());
    }
}
