package dev.flotilla.bench.clusterapi;

import dev.flotilla.testkit.cert.CertificateAuthority;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
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
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** Calls hooks as Cluster API does: with a connection and a whole TLS handshake for each call, and ten at once. */
final class HookCaller {
    private static final int AT_ONCE = 10;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final String HOOKS = "/hooks.runtime.cluster.x-k8s.io/v1alpha1/";
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double MILLI = 1e6;

    private final URI extension;
    private final SSLSocketFactory sockets;

    /**
     * A call.
     *
     * @param path the path of the hook, below its group and version
     */
    record HookCall(String path, String body) {}

    private HookCaller(URI extension, SSLSocketFactory sockets) {
        this.extension = extension;
        this.sockets = sockets;
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
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return new HookCaller(extension, context.getSocketFactory());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the certificate authority cannot be trusted", e);
        }
    }

    /** Calls a hook and returns the response. */
    String call(HookCall call) throws IOException {
        byte[] body = call.body().getBytes(StandardCharsets.UTF_8);
        String head = "POST " + HOOKS + call.path() + "?timeout=10s HTTP/1.1\r\nHost: " + extension.getAuthority()
                + "\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n\r\n";
        try (SSLSocket socket = (SSLSocket) sockets.createSocket()) {
            socket.connect(new InetSocketAddress(extension.getHost(), extension.getPort()), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            // The next call resumes no session, because Cluster API's client resumes none.
            socket.getSession().invalidate();
            if (!response.startsWith("HTTP/1.1 200 ")) {
                throw new IOException(call.path() + " was answered with "
                        + response.lines().findFirst().orElse("nothing"));
            }
            return response;
        }
    }

    /**
     * Calls at a fixed rate, however long the answers take. Returns the milliseconds from the time at which each call was due until its
     * answer was read.
     *
     * @param expected what each response must contain
     */
    List<Double> measure(int calls, int perSecond, String expected, IntFunction<HookCall> call)
            throws InterruptedException {
        List<Future<Double>> answers = new ArrayList<>();
        List<Double> millis = new ArrayList<>();
        try (ScheduledExecutorService threads = Executors.newScheduledThreadPool(AT_ONCE)) {
            long begin = System.nanoTime() + SECOND / 10;
            for (int i = 0; i < calls; i++) {
                HookCall each = call.apply(i);
                long due = begin + i * SECOND / perSecond;
                answers.add(threads.schedule(
                        () -> measure(each, due, expected), due - System.nanoTime(), TimeUnit.NANOSECONDS));
            }
            for (Future<Double> answer : answers) {
                millis.add(answer.get());
            }
            return millis;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a hook was not answered as it must be: " + e.getMessage(), e);
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
