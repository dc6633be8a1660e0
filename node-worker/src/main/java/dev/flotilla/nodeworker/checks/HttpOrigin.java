package dev.flotilla.nodeworker.checks;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A server that checks may use: scheme, host and port; the rest of a URL does not count. */
record HttpOrigin(boolean tls, String host, int port) {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;
    private static final int MAX_PORT = 65_535;

    /** Returns the origin of a URL with a host. */
    public static HttpOrigin of(URI url) {
        boolean tls = "https".equals(url.getScheme());
        int port = url.getPort();
        return new HttpOrigin(tls, url.getHost().toLowerCase(Locale.ROOT), port >= 0 ? port : tls ? HTTPS : HTTP);
    }

    /** Returns what is wrong with an origin in the configuration; null for a valid one. */
    static @Nullable String problemOf(String text) {
        try {
            URI url = new URI(text);
            boolean known = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
            return known
                            && url.getHost() != null
                            && url.getPort() <= MAX_PORT
                            && url.getRawUserInfo() == null
                            && url.getRawPath().isEmpty()
                            && url.getRawQuery() == null
                            && url.getRawFragment() == null
                    ? null
                    : "must be <scheme>://<host>:<port> and nothing more, such as https://health.example:8443";
        } catch (URISyntaxException e) {
            return "is no URL";
        }
    }

    static HttpOrigin parse(String text) {
        return of(URI.create(text));
    }

    /** Whether the host can only be this machine. */
    boolean isLoopback() {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + host + ":" + port;
    }
}
