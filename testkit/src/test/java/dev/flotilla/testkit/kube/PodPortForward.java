package dev.flotilla.testkit.kube;

import io.fabric8.kubernetes.client.PortForward;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A port-forward to a pod with a TLS connection through it, for one request. */
final class PodPortForward implements AutoCloseable {
    private static final int K8SD = 2380;

    private final PortForward forward;
    private final SSLSocket socket;

    private PodPortForward(PortForward forward, SSLSocket socket) {
        this.forward = forward;
        this.socket = socket;
    }

    static PodPortForward to(PodResource pod) throws IOException, GeneralSecurityException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustAllManager()}, null);
            Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
            SocketChannel inner = listener.accept();
            PortForward forward = pod.portForward(K8SD, inner, inner);
            SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, "k8sd", port, true);
            socket.setSoTimeout(30_000);
            return new PodPortForward(forward, socket);
        }
    }

    /** Sends a request. Returns the whole response. */
    String post(String host, String path, String token, String body) throws IOException {
        String request = "POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nnode-token: " + token
                + "\r\nContent-Length: " + body.length() + "\r\nConnection: close\r\n\r\n" + body;
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
        forward.close();
    }

    /** Trusts every certificate, because no resource contains the certificate of a k8sd. */
    private static final class TrustAllManager implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
