package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.nodeworker.k8sd.DirectK8sdConnection.ConnectionTarget;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePin;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one node during its upgrade: at most one directly and one through the proxy, which are kept open.
 */
public final class NodeTransports {
    private final SiteTransportContext site;
    private @Nullable DirectK8sdConnection direct;
    private @Nullable ConnectionTarget directTo;
    private @Nullable ProxiedK8sdConnection proxied;

    public NodeTransports(SiteTransportContext site) {
        this.site = site;
    }

    /** Reads the certificate of an unpinned node through the proxy. A failure says why not. */
    public Future<CertificatePin> readCertificate(K8sdEndpoint k8sdEndpoint) {
        TunnelLimiter.LimitedTunnel limitedTunnel = new TunnelLimiter.LimitedTunnel() {
            @Override
            public boolean isIdle() {
                return false;
            }

            @Override
            public void closeTunnel() {
                throw new IllegalStateException("a first contact is never idle");
            }
        };
        if (!site.tunnels().openTunnel(limitedTunnel)) {
            return Future.failedFuture(site.tunnels().limitMessage());
        }
        return ProxiedK8sdConnection.readCertificate(
                        site.vertx(), site.forwards().createRelay(k8sdEndpoint.cluster(), k8sdEndpoint.node()))
                .onComplete(read -> site.tunnels().removeTunnel(limitedTunnel));
    }

    /**
     * Sends a request. One that was certainly not sent over one transport may be sent over the other.
     *
     * @param inTime evaluated right before the request is written
     */
    public Future<K8sdRequestResult> send(K8sdRoute.TrustedRoute to, K8sdRequest k8sdRequest, BooleanSupplier inTime) {
        if (site.transport() != K8sdTransportSetting.AUTO) {
            return sendOver(site.transport(), to, k8sdRequest, inTime);
        }
        K8sdTransportSetting worked = site.lastWorking().get(to.endpoint().cluster());
        K8sdTransportSetting first = worked == null ? K8sdTransportSetting.DIRECT : worked;
        return sendOver(first, to, k8sdRequest, inTime).compose(k8sdRequestResult -> {
            if (!(k8sdRequestResult instanceof K8sdRequestResult.RequestNotSent not) || !inTime.getAsBoolean()) {
                return Future.succeededFuture(k8sdRequestResult);
            }
            K8sdTransportSetting other =
                    first == K8sdTransportSetting.DIRECT ? K8sdTransportSetting.PROXY : K8sdTransportSetting.DIRECT;
            return sendOver(other, to, k8sdRequest, inTime).map(second -> {
                if (second instanceof K8sdRequestResult.RequestNotSent neither) {
                    return new K8sdRequestResult.RequestNotSent(describe(first, not) + "; " + describe(other, neither));
                }
                site.lastWorking().put(to.endpoint().cluster(), other);
                return second;
            });
        });
    }

    private static String describe(K8sdTransportSetting k8sdTransportSetting, K8sdRequestResult.RequestNotSent not) {
        return (k8sdTransportSetting == K8sdTransportSetting.PROXY ? "through the proxy: " : "directly: ")
                + not.reason();
    }

    private Future<K8sdRequestResult> sendOver(
            K8sdTransportSetting k8sdTransportSetting,
            K8sdRoute.TrustedRoute to,
            K8sdRequest k8sdRequest,
            BooleanSupplier inTime) {
        if (k8sdTransportSetting == K8sdTransportSetting.DIRECT) {
            return direct(to.endpoint(), to.pin()).send(k8sdRequest, to.token().reveal(), inTime);
        }
        ProxiedK8sdConnection line = proxied(to.endpoint(), to.pin());
        return site.tunnels().openTunnel(line)
                ? line.send(k8sdRequest, to.token().reveal(), inTime)
                : Future.succeededFuture(
                        new K8sdRequestResult.RequestNotSent(site.tunnels().limitMessage()));
    }

    private DirectK8sdConnection direct(K8sdEndpoint k8sdEndpoint, CertificatePin certificatePin) {
        SocketAddress via = site.connectTo();
        ConnectionTarget target = new ConnectionTarget(
                k8sdEndpoint.host(),
                k8sdEndpoint.port(),
                via == null ? SocketAddress.inetSocketAddress(k8sdEndpoint.port(), k8sdEndpoint.host()) : via,
                certificatePin);
        DirectK8sdConnection open = direct;
        if (open != null && target.equals(directTo)) {
            return open;
        }
        if (open != null) {
            open.close();
        }
        DirectK8sdConnection fresh = new DirectK8sdConnection(site.vertx(), target);
        direct = fresh;
        directTo = target;
        return fresh;
    }

    private ProxiedK8sdConnection proxied(K8sdEndpoint k8sdEndpoint, CertificatePin certificatePin) {
        ProxiedK8sdConnection open = proxied;
        if (open != null && open.leadsTo(k8sdEndpoint, certificatePin)) {
            return open;
        }
        closeProxied();
        ProxiedK8sdConnection fresh = new ProxiedK8sdConnection(
                site.vertx(),
                site.forwards().createRelay(k8sdEndpoint.cluster(), k8sdEndpoint.node()),
                k8sdEndpoint,
                certificatePin,
                () -> proxied = null);
        proxied = fresh;
        return fresh;
    }

    private void closeProxied() {
        ProxiedK8sdConnection open = proxied;
        if (open != null) {
            proxied = null;
            site.tunnels().removeTunnel(open);
            open.close();
        }
    }

    /** Closes the connections. */
    public void close() {
        closeProxied();
        DirectK8sdConnection open = direct;
        if (open != null) {
            direct = null;
            directTo = null;
            open.close();
        }
    }
}
