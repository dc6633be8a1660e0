package dev.flotilla.testkit.kube;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The few requests, as administrator, that set up a cluster and check whether it is ready. */
final class ApiServerClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int CONNECT_TIMEOUT_MILLIS = 1_000;
    private static final int OK = 200;
    private static final int CREATED = 201;

    private final HttpClient client;
    private final URI server;
    private final String token;

    ApiServerClient(URI server, String authority, String token) {
        this.client = HttpClient.newBuilder().sslContext(trusting(authority)).build();
        this.server = server;
        this.token = token;
    }

    /** Whether a port of this machine accepts connections. */
    static boolean isPortOpen(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_TIMEOUT_MILLIS);
            return true;
        } catch (IOException notListening) {
            return false;
        }
    }

    /** Whether a path can be read. */
    boolean canRead(String path) {
        try {
            return send(request(path).GET().build()).statusCode() == OK;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Creates or changes an object by server-side apply, which accepts YAML. Returns the object as JSON. */
    String apply(String path, String manifest) {
        HttpRequest request = request(path + "?fieldManager=testkit&force=true")
                .header("Content-Type", "application/apply-patch+yaml")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(manifest))
                .build();
        try {
            HttpResponse<String> response = send(request);
            if (response.statusCode() != OK && response.statusCode() != CREATED) {
                throw new IllegalStateException(path + " was rejected: " + response.body());
            }
            return response.body();
        } catch (IOException e) {
            throw new IllegalStateException(path + " could not be applied", e);
        }
    }

    /** Changes an object by a merge patch. Returns the warnings of the API server, as kubectl shows them. */
    List<String> merge(String path, String patch) {
        HttpRequest request = request(path)
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(patch))
                .build();
        try {
            HttpResponse<String> response = send(request);
            if (response.statusCode() != OK) {
                throw new IllegalStateException(path + " was not changed: " + response.body());
            }
            return response.headers().allValues("Warning");
        } catch (IOException e) {
            throw new IllegalStateException(path + " could not be changed", e);
        }
    }

    /** Deletes an object. */
    void delete(String path) {
        try {
            HttpResponse<String> response = send(request(path).DELETE().build());
            if (response.statusCode() != OK) {
                throw new IllegalStateException(path + " was not deleted: " + response.body());
            }
        } catch (IOException e) {
            throw new IllegalStateException(path + " could not be deleted", e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.resolve(path))
                .timeout(TIMEOUT)
                .header("Accept", "application/json")
                .header("Authorization", "Bearer " + token);
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + request.uri(), e);
        }
    }

    private static SSLContext trusting(String authority) {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "authority",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(
                                    new ByteArrayInputStream(authority.getBytes(StandardCharsets.US_ASCII))));
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JDK cannot trust a certificate", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
