package dev.flotilla.cli.support;

import dev.flotilla.runtime.http.BearerTokenFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads the metrics of processes.
 *
 * @param token the bearer token of the processes; null for none
 */
record MetricsSource(HttpClient client, @Nullable String token) implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MOST_BYTES = 16 * 1024 * 1024;
    private static final int OK = 200;

    /**
     * Opens the source.
     *
     * @param ca file with the certificates of the authorities to trust; null for those of this machine
     */
    static MetricsSource open(@Nullable Path tokenFile, @Nullable Path ca) throws IOException {
        HttpClient.Builder client =
                HttpClient.newBuilder().connectTimeout(TIMEOUT).followRedirects(HttpClient.Redirect.NEVER);
        if (ca != null) {
            client.sslContext(trusting(ca));
        }
        return new MetricsSource(client.build(), tokenFile == null ? null : readToken(tokenFile));
    }

    private static String readToken(Path file) throws IOException {
        try {
            return BearerTokenFile.read(file);
        } catch (BearerTokenFile.InvalidTokenException e) {
            throw new IOException(file + " " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException(file + (Files.exists(file) ? " cannot be read" : " does not exist"), e);
        }
    }

    private static SSLContext trusting(Path ca) throws IOException {
        try (InputStream in = Files.newInputStream(ca)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + count++, each);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException unfit) {
            throw new IOException(ca + " has no certificates that can be read (" + unfit.getMessage() + ")", unfit);
        }
    }

    /** The address of the metrics; a URL without a path means those of a process of Flotilla. */
    static URI address(String url) throws IOException {
        try {
            URI given = new URI(url);
            if (given.getHost() == null || !List.of("http", "https").contains(String.valueOf(given.getScheme()))) {
                throw new IOException("\"" + url + "\" is not a URL: write http://HOST:PORT or https://HOST:PORT");
            }
            return given.getPath().isEmpty() || given.getPath().equals("/") ? given.resolve("/metrics") : given;
        } catch (URISyntaxException wrong) {
            throw new IOException("\"" + url + "\" is not a URL: " + wrong.getReason(), wrong);
        }
    }

    String read(URI address) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(TIMEOUT);
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            HttpResponse<InputStream> response =
                    client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                String text = new String(body.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
                if (response.statusCode() != OK) {
                    throw new IOException("the process answered " + response.statusCode() + ": "
                            + text.lines().findFirst().orElse("nothing")
                            + (token == null ? "; a process with a token needs --metrics-token-file" : ""));
                }
                return text;
            }
        } catch (ConnectException refused) {
            throw new IOException("nothing accepts connections at " + address.getAuthority(), refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
