package dev.flotilla.nodeworker.k8sd;

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

/** The first contact with a node. Whatever it shows is taken, so that nothing is sent to it. */
public final class NodeCertificateReader {
    private NodeCertificateReader() {}

    /** Sees which certificate is shown there, by one who has its key. */
    public static Future<CertificatePin> readCertificate(Vertx vertx, SocketAddress there, Duration handshake) {
        NetClient client = vertx.createNetClient(new NetClientOptions()
                .setSsl(true)
                // Nobody can vouch for it but the way that leads there.
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
                    : Future.failedFuture("it shows no certificate of X.509");
        } catch (SSLPeerUnverifiedException | CertificateEncodingException e) {
            return Future.failedFuture(e);
        }
    }
}
