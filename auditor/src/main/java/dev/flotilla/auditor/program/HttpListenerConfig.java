package dev.flotilla.auditor.program;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Where the pages are served, and to whom. Plain HTTP without a token is allowed on the loopback only.
 *
 * @param keyManager null for plain HTTP
 * @param token null if requests need no token
 */
record HttpListenerConfig(
        String host,
        int port,
        @Nullable ReloadingKeyManager keyManager,
        @Nullable BearerTokenFile token) {
    private static final Pattern LOOPBACK = Pattern.compile("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[?::1]?|localhost");
    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");
    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    /** Parses the options of the listener; adds what is wrong to the problems. */
    static HttpListenerConfig parse(
            String host,
            int port,
            @Nullable Path certificate,
            @Nullable Path key,
            @Nullable Path tokenFile,
            List<String> problems) {
        ReloadingKeyManager keyManager = null;
        BearerTokenFile bearerTokenFile = null;
        try {
            if (certificate != null && key != null) {
                keyManager = ReloadingKeyManager.readFrom(certificate, key);
            } else if (certificate != null || key != null) {
                problems.add("--tls-cert and --tls-key go together: one of them is missing");
            }
        } catch (IOException e) {
            problems.add("--tls-cert and --tls-key cannot be used: " + e.getMessage());
        }
        try {
            bearerTokenFile = tokenFile == null ? null : BearerTokenFile.readFrom(tokenFile);
        } catch (IOException e) {
            problems.add("--token-file cannot be used: " + e.getMessage());
        }
        if (!LOOPBACK.matcher(host).matches()) {
            String where = "--listen is \"" + host + ":" + port + "\", which other hosts can reach, ";
            if (certificate == null && key == null) {
                problems.add(where + "without TLS: give --tls-cert and --tls-key, or listen on 127.0.0.1");
            }
            if (tokenFile == null) {
                problems.add(where + "without a token: give --token-file, or listen on 127.0.0.1");
            }
        }
        return new HttpListenerConfig(host, port, keyManager, bearerTokenFile);
    }

    boolean isSecure() {
        return keyManager != null;
    }

    /** Whether a request with this header is authorized. */
    boolean isAuthorized(@Nullable String authorization) {
        return token == null || token.matches(authorization);
    }

    /**
     * Whether a web page has had its own name resolved to this host, to read pages that need no token.
     *
     * @param authority the request's header Host
     */
    boolean isRebound(@Nullable String authority) {
        return token == null
                && !LOOPBACK.matcher(
                                PORT.matcher(authority == null ? "" : authority).replaceFirst(""))
                        .matches();
    }

    /** Opens a server that does not accept requests yet. */
    HttpServer openServer() throws IOException {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (keyManager == null) {
            return HttpServer.create(address, 0);
        }
        HttpsServer server = HttpsServer.create(address, 0);
        server.setHttpsConfigurator(new HttpsConfigurator(keyManager.context()) {
            @Override
            public void configure(HttpsParameters parameters) {
                parameters.setSSLParameters(new SSLParameters(null, VERSIONS));
            }
        });
        return server;
    }
}
