package dev.flotilla.bench.clusterapi;

import dev.flotilla.testkit.cert.CertificateAuthority;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Calls hooks as Cluster API does: with a connection and a whole TLS handshake for each call, and ten at once. */
final class HookCaller {
    private static final int AT_ONCE = 10;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int OK = 200;
    private static final String HOOKS = "/hooks.runtime.cluster.x-k8s.io/v1alpha1/";
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double MILLI = 1e6;

    private final URI extension;
    private final TrustManager[] trust;

    /**
     * A call.
     *
     * @param path the path of the hook, below its group and version
     */
    record HookCall(String path, String body) {}

    private HookCaller(URI extension, TrustManager[] trust) {
        this.extension = extension;
        this.trust = trust;
    }

    static HookCaller of(URI extension, CertificateAuthority trusted) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry(
                    "ca",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(
                                    trusted.certificate().getBytes(StandardCharsets.US_ASCII))));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            return new HookCaller(extension, trust.getTrustManagers());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the certificate authority cannot be trusted", e);
        }
    }

    /** Calls a hook and returns the body of the response. */
    String call(HookCall call) throws IOException {
        HttpsURLConnection connection = (HttpsURLConnection)
                extension.resolve(HOOKS + call.path() + "?timeout=10s").toURL().openConnection();
        connection.setSSLSocketFactory(newContext().getSocketFactory());
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setRequestProperty("Connection", "close");
        connection.setDoOutput(true);
        byte[] body = call.body().getBytes(StandardCharsets.UTF_8);
        connection.setFixedLengthStreamingMode(body.length);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body);
        }
        if (connection.getResponseCode() != OK) {
            throw new IOException(call.path() + " was answered with status " + connection.getResponseCode());
        }
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A context of its own, so that no session is resumed: Cluster API's client resumes none. */
    private SSLContext newContext() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Calls at a fixed rate, however long the answers take. Returns the milliseconds from the time at which each call was due until its
     * answer was read.
     *
     * @param expected what each response must contain
     */
    double[] measure(int calls, int perSecond, String expected, IntFunction<HookCall> call)
            throws InterruptedException {
        List<Future<Double>> answers = new ArrayList<>();
        double[] millis = new double[calls];
        try (ScheduledExecutorService threads = Executors.newScheduledThreadPool(AT_ONCE)) {
            long begin = System.nanoTime() + SECOND / 10;
            for (int i = 0; i < calls; i++) {
                HookCall each = call.apply(i);
                long due = begin + i * SECOND / perSecond;
                answers.add(threads.schedule(
                        () -> measure(each, due, expected), due - System.nanoTime(), TimeUnit.NANOSECONDS));
            }
            for (int i = 0; i < calls; i++) {
                millis[i] = answers.get(i).get();
            }
            return millis;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a hook was not answered as it must be: " + e.getCause().getMessage(), e);
        }
    }

    private double measure(HookCall call, long due, String expected) throws IOException {
        String response = call(call);
        double millis = (System.nanoTime() - due) / MILLI;
        if (!response.contains(expected)) {
            throw new IOException(call.path() + " was answered " + response);
        }
        return millis;
    }
}
