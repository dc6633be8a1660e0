package dev.flotilla.nodeworker.k8sd.trust;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Reads a node's certificate at first contact. Any certificate is accepted, so no request is sent. */
public final class NodeCertificateReader {
    private NodeCertificateReader() {}

    /** Reads the certificate that a server shows after it has proved that it has the key. */
    public static Future<CertificatePin> readCertificate(Vertx vertx, SocketAddress there, Duration handshake) {
        NetClient client = vertx.createNetClient(new NetClientOptions()
                .setSsl(true)
                // Only the route to the node vouches for it.
                .setTrustAll(true)
                .setHostnameVerificationAlgorithm("")
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.3"))
                .setSslHandshakeTimeout(handshake.toSeconds())
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS));
        return client.connect(there)
                .compose(NodeCertificateReader::shown)
                .transform(pin -> client.close()
                        .transform(closed -> pin.succeeded()
                                ? Future.succeededFuture(pin.result())
                                : Future.<CertificatePin>failedFuture(pin.cause())));
    }

    private static Future<CertificatePin> shown(NetSocket socket) {
        try {
            return socket.peerCertificates().getFirst() instanceof X509Certificate certificate
                    ? Future.succeededFuture(CertificatePin.pinOf(certificate))
                    : Future.failedFuture("the node shows no X.509 certificate");
        } catch (SSLPeerUnverifiedException | CertificateEncodingException e) {
            return Future.failedFuture(e);
        }
    }
}
