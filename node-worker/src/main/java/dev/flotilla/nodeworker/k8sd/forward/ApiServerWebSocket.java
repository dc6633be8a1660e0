package dev.flotilla.nodeworker.k8sd.forward;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.RootCauseMessage;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509KeyManager;

/**
 * A WebSocket to an API server with the credentials of other requests. It uses Vert.x, because the other client's
 * WebSocket takes one message at a time, without back-pressure, and does not tell why an API server rejects it.
 */
final class ApiServerWebSocket {
    private static final int LONGEST_MESSAGE = 1024 * 1024;
    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    private final WebSocketClient client;
    private final WebSocket socket;

    private ApiServerWebSocket(WebSocketClient client, WebSocket socket) {
        this.client = client;
        this.socket = socket;
    }

    /** Opens a WebSocket. A failure has the reason as message. */
    static Future<ApiServerWebSocket> open(Vertx vertx, KubeApiClient api, String path, String protocol) {
        Config config = api.config();
        URI uri = URI.create(api.root() + path);
        WebSocketClient client;
        try {
            client = vertx.createWebSocketClient(options(config, "https".equals(uri.getScheme())));
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            // The library's message may quote the key that it cannot read.
            return Future.failedFuture("the kubeconfig's certificate or key cannot be used");
        }
        return client.connect(asked(config, uri, protocol))
                .map(socket -> new ApiServerWebSocket(client, socket))
                .recover(failure -> {
                    String why = why(api, failure);
                    return client.close().transform(closed -> Future.failedFuture(why));
                });
    }

    private static WebSocketClientOptions options(Config config, boolean secure)
            throws GeneralSecurityException, IOException {
        WebSocketClientOptions options = new WebSocketClientOptions()
                .setConnectTimeout(config.getConnectionTimeout())
                .setMaxFrameSize(LONGEST_MESSAGE)
                .setMaxMessageSize(LONGEST_MESSAGE);
        if (secure) {
            options.setSsl(true)
                    .setVerifyHost(true)
                    .setSslHandshakeTimeout(config.getConnectionTimeout())
                    .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
            for (TrustManager trust : SSLUtils.trustManagers(config)) {
                options.setTrustOptions(TrustOptions.wrap(trust));
            }
            KeyManager[] keys = SSLUtils.keyManagers(config);
            for (KeyManager key : keys == null ? new KeyManager[0] : keys) {
                if (key instanceof X509KeyManager itsKey) {
                    options.setKeyCertOptions(KeyCertOptions.wrap(itsKey));
                }
            }
        }
        return options;
    }

    private static WebSocketConnectOptions asked(Config config, URI uri, String protocol) {
        boolean secure = "https".equals(uri.getScheme());
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? HTTPS : HTTP;
        String name = config.getTlsServerName();
        WebSocketConnectOptions options = new WebSocketConnectOptions()
                .setServer(SocketAddress.inetSocketAddress(port, uri.getHost()))
                .setHost(name == null ? uri.getHost() : name)
                .setPort(port)
                .setSsl(secure)
                .setURI(uri.getRawPath() + "?" + uri.getRawQuery())
                .addSubProtocol(protocol)
                .setAllowOriginHeader(false)
                .setTimeout(config.getRequestTimeout());
        if (config.getOauthToken() != null) {
            options.addHeader("Authorization", "Bearer " + config.getOauthToken());
        }
        if (config.getImpersonateUsername() != null) {
            options.addHeader("Impersonate-User", config.getImpersonateUsername());
        }
        return options;
    }

    private static String why(KubeApiClient api, Throwable failure) {
        return failure instanceof UpgradeRejectedException no
                ? api.describeRefusal(
                        no.getStatus(),
                        no.getBody() == null ? new byte[0] : no.getBody().getBytes())
                : RootCauseMessage.describe(failure);
    }

    WebSocket socket() {
        return socket;
    }

    /** Closes the WebSocket. */
    Future<Void> close() {
        return socket.close().transform(closed -> client.close());
    }
}
