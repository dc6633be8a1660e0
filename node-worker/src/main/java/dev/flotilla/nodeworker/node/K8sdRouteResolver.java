package dev.flotilla.nodeworker.node;

import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.k8sd.K8sdEndpoint;
import dev.flotilla.nodeworker.k8sd.K8sdRoute;
import dev.flotilla.nodeworker.k8sd.K8sdTransportSetting;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePin;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePinKey;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePinStore;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePinStore.CertificateTrust;
import dev.flotilla.nodeworker.k8sd.trust.NodeToken;
import dev.flotilla.nodeworker.k8sd.trust.NodeTokenReader;
import dev.flotilla.nodeworker.k8sd.trust.NodeTokenReader.NodeTokenResult;
import dev.flotilla.nodeworker.management.ManagementClusterClient;
import dev.flotilla.nodeworker.management.ManagementClusterClient.K8sdPortResult;
import dev.flotilla.nodeworker.node.AttemptNodeInspector.AddressResult;
import dev.flotilla.nodeworker.node.NodeLocator.NodeReference;
import dev.flotilla.schemas.id.MachineKey;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route to the k8sd of an attempt's machine: its address, its port, its certificate pin and its token.
 * Methods block, apart from {@link #cachedRoute}.
 */
final class K8sdRouteResolver {
    private final MachineKey machine;
    private final AttemptNodeInspector nodeInspector;
    private final ManagementClusterClient managementCluster;
    private final CertificatePinStore pins;
    private final NodeTokenReader tokens;
    private final K8sdTransportSetting transport;
    private final @Nullable Integer configuredPort;

    private @Nullable K8sdPortResult port;
    private @Nullable K8sdEndpoint endpoint;
    private boolean useOwnPort;

    /**
     * Creates a resolver.
     *
     * @param configuredPort port of k8sd on each node; null for the one in each machine's CK8sConfig
     */
    K8sdRouteResolver(
            MachineKey machine,
            AttemptNodeInspector nodeInspector,
            ManagementClusterClient managementCluster,
            CertificatePinStore pins,
            NodeTokenReader tokens,
            K8sdTransportSetting transport,
            @Nullable Integer configuredPort) {
        this.machine = machine;
        this.nodeInspector = nodeInspector;
        this.managementCluster = managementCluster;
        this.pins = pins;
        this.tokens = tokens;
        this.transport = transport;
        this.configuredPort = configuredPort;
    }

    K8sdRoute resolveRoute(NodeReference reference) {
        return switch (nodeInspector.findAddress(reference)) {
            case AddressResult.NoUsableAddress noUsableAddress -> new K8sdRoute.NoRoute(noUsableAddress.reason());
            case AddressResult.AddressFound addressFound ->
                switch (findPort(reference)) {
                    case K8sdPortResult.UnknownPort unknownPort -> new K8sdRoute.NoRoute(unknownPort.reason());
                    case K8sdPortResult.KnownPort knownPort -> {
                        K8sdEndpoint k8sdEndpoint = new K8sdEndpoint(
                                reference.cluster(), reference.node(), addressFound.address(), knownPort.port());
                        endpoint = k8sdEndpoint;
                        yield findTrustedRoute(reference, k8sdEndpoint);
                    }
                };
        };
    }

    /** Returns the route found before if all parts are cached; else null. */
    @Nullable
    K8sdRoute cachedRoute(NodeReference reference) {
        K8sdEndpoint k8sdEndpoint = endpoint;
        if (k8sdEndpoint == null || !k8sdEndpoint.host().equals(reference.address())) {
            return null;
        }
        CertificatePin pin = pins.cachedPin(reference.cluster(), pinKeyOf(reference));
        NodeToken token = pin == null ? null : tokens.cachedToken(reference.cluster(), machine);
        return pin == null || token == null ? null : new K8sdRoute.TrustedRoute(k8sdEndpoint, pin, token);
    }

    private K8sdPortResult findPort(NodeReference reference) {
        K8sdPortResult known = port;
        if (known instanceof K8sdPortResult.KnownPort) {
            return known;
        }
        K8sdPortResult read = configuredPort != null || transport == K8sdTransportSetting.PROXY
                // The proxy knows the port itself.
                ? new K8sdPortResult.KnownPort(
                        configuredPort == null ? SiteUpgradeSettings.DEFAULT_K8SD_PORT : configuredPort, false)
                : useOwnPort
                        ? managementCluster.k8sdPort(reference.machine(), SiteUpgradeSettings.DEFAULT_K8SD_PORT)
                        : managementCluster.likelyPort(reference.machine(), SiteUpgradeSettings.DEFAULT_K8SD_PORT);
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
        return switch (pins.readTrust(reference.cluster(), pinKeyOf(reference))) {
            case CertificateTrust.TrustUnknown trustUnknown -> new K8sdRoute.NoRoute(trustUnknown.reason());
            case CertificateTrust.CertificateUnpinned certificateUnpinned -> new K8sdRoute.UnpinnedRoute(k8sdEndpoint);
            case CertificateTrust.CertificatePinned certificatePinned ->
                switch (tokens.readToken(reference.cluster(), machine)) {
                    case NodeTokenResult.TokenUnavailable tokenUnavailable ->
                        new K8sdRoute.NoRoute(tokenUnavailable.reason());
                    case NodeTokenResult.TokenFound tokenFound ->
                        new K8sdRoute.TrustedRoute(k8sdEndpoint, certificatePinned.pin(), tokenFound.token());
                };
        };
    }

    /** Pins the certificate that was shown at first contact. Returns why it is not trusted; null if it is. */
    @Nullable
    String pinCertificate(NodeReference reference, CertificatePin shown) {
        return switch (pins.pinFirstSeen(reference.cluster(), pinKeyOf(reference), shown)) {
            case CertificateTrust.CertificatePinned certificatePinned -> null;
            case CertificateTrust.CertificateUnpinned certificateUnpinned -> "the certificate was not pinned";
            case CertificateTrust.TrustUnknown trustUnknown -> trustUnknown.reason();
        };
    }

    /** Drops the cached tokens and pins of the cluster. */
    void invalidateCredentials(NodeReference reference) {
        tokens.invalidateTokens(reference.cluster());
        pins.invalidatePins(reference.cluster());
    }

    private CertificatePinKey pinKeyOf(NodeReference reference) {
        return CertificatePinKey.holderOf(machine.name(), reference.machine());
    }
}
