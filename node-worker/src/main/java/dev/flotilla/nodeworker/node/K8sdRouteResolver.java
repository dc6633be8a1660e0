package dev.flotilla.nodeworker.node;

import dev.flotilla.nodeworker.k8sd.CertificatePin;
import dev.flotilla.nodeworker.management.ManagementClusterClient.K8sdPortResult;
import dev.flotilla.nodeworker.management.NodeToken;
import dev.flotilla.nodeworker.management.NodeTokenReader;
import dev.flotilla.nodeworker.node.NodeLocator.NodeReference;
import dev.flotilla.nodeworker.pins.CertificatePinKey;
import dev.flotilla.nodeworker.pins.CertificatePinStore;
import org.jspecify.annotations.Nullable;

/** What is known of the k8sd of an attempt's machine: where it listens, what it shows, and what it wants to see. */
final class K8sdRouteResolver {
    private final SiteClusters siteClusters;
    private final UpgradeAttemptParameters upgradeAttemptParameters;
    private @Nullable K8sdPortResult port;
    private @Nullable K8sdEndpoint found;
    private boolean listensElsewhere;

    K8sdRouteResolver(SiteClusters siteClusters, UpgradeAttemptParameters upgradeAttemptParameters) {
        this.siteClusters = siteClusters;
        this.upgradeAttemptParameters = upgradeAttemptParameters;
    }

    K8sdRoute resolveRoute(NodeReference it, String address) {
        return switch (port(it)) {
            case K8sdPortResult.UnknownPort unknownPort -> new K8sdRoute.NoRoute(unknownPort.reason());
            case K8sdPortResult.KnownPort knownPort -> {
                K8sdEndpoint k8sdEndpoint = new K8sdEndpoint(it.cluster(), it.node(), address, knownPort.port());
                found = k8sdEndpoint;
                yield trusted(it, k8sdEndpoint);
            }
        };
    }

    /** The way that was found before, if nothing has to be read for it; else null. */
    @Nullable
    K8sdRoute cachedRoute(NodeReference it) {
        K8sdEndpoint k8sdEndpoint = found;
        if (k8sdEndpoint == null || !k8sdEndpoint.host().equals(it.address())) {
            return null;
        }
        CertificatePin certificatePin = siteClusters.pins.cachedPin(it.cluster(), bearer(it));
        NodeToken token = certificatePin == null
                ? null
                : siteClusters.tokens.cachedToken(it.cluster(), upgradeAttemptParameters.key());
        return certificatePin == null || token == null
                ? null
                : new K8sdRoute.TrustedRoute(k8sdEndpoint, certificatePin, token);
    }

    private K8sdPortResult port(NodeReference it) {
        K8sdPortResult known = port;
        if (known instanceof K8sdPortResult.KnownPort) {
            return known;
        }
        Integer fixed = siteClusters.settings.k8sdPort();
        K8sdPortResult read = fixed != null || siteClusters.settings.transport() == K8sdTransportSetting.PROXY
                // The proxy knows by itself.
                ? new K8sdPortResult.KnownPort(fixed == null ? SiteUpgradeSettings.DEFAULT_K8SD_PORT : fixed, false)
                : listensElsewhere
                        ? siteClusters.machines.k8sdPort(it.machine(), SiteUpgradeSettings.DEFAULT_K8SD_PORT)
                        : siteClusters.machines.likelyPort(it.machine(), SiteUpgradeSettings.DEFAULT_K8SD_PORT);
        port = read;
        return read;
    }

    /** It is not where others of its owner are. Whether it may be elsewhere, which is what its own configuration says. */
    boolean mayListenElsewhere() {
        if (!(port instanceof K8sdPortResult.KnownPort knownPort) || !knownPort.fromOtherMachine()) {
            return false;
        }
        port = null;
        found = null;
        listensElsewhere = true;
        return true;
    }

    private K8sdRoute trusted(NodeReference it, K8sdEndpoint k8sdEndpoint) {
        return switch (siteClusters.pins.readTrust(it.cluster(), bearer(it))) {
            case CertificatePinStore.CertificateTrust.TrustUnknown trustUnknown ->
                new K8sdRoute.NoRoute(trustUnknown.reason());
            case CertificatePinStore.CertificateTrust.CertificateUnpinned certificateUnpinned ->
                new K8sdRoute.UnpinnedRoute(k8sdEndpoint);
            case CertificatePinStore.CertificateTrust.CertificatePinned certificatePinned ->
                switch (siteClusters.tokens.readToken(it.cluster(), upgradeAttemptParameters.key())) {
                    case NodeTokenReader.NodeTokenResult.TokenUnavailable tokenUnavailable ->
                        new K8sdRoute.NoRoute(tokenUnavailable.reason());
                    case NodeTokenReader.NodeTokenResult.TokenFound tokenFound ->
                        new K8sdRoute.TrustedRoute(k8sdEndpoint, certificatePinned.pin(), tokenFound.token());
                };
        };
    }

    /** It showed that at first contact. Why that is not trusted; null where it is. */
    @Nullable
    String pinCertificate(NodeReference it, CertificatePin shown) {
        return switch (siteClusters.pins.pinFirstSeen(it.cluster(), bearer(it), shown)) {
            case CertificatePinStore.CertificateTrust.CertificatePinned certificatePinned -> null;
            case CertificatePinStore.CertificateTrust.CertificateUnpinned certificateUnpinned -> "it was not pinned";
            case CertificatePinStore.CertificateTrust.TrustUnknown trustUnknown -> trustUnknown.reason();
        };
    }

    private CertificatePinKey bearer(NodeReference it) {
        return CertificatePinKey.holderOf(upgradeAttemptParameters.key().name(), it.machine());
    }
}
