package dev.flotilla.kube;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Makes clients that share their threads. Else each has a pool of its own that grows with what is asked at once, and there are
 * as many as clusters. What runs on them never waits.
 */
final class SharedHttpClientFactory extends JdkHttpClientFactory {
    private static final ExecutorService THREADS = Executors.newFixedThreadPool(
            2 * Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().name("flotilla-kube-", 0).daemon().factory());

    @Override
    protected HttpClient.Builder createNewHttpClientBuilder() {
        return HttpClient.newBuilder().executor(THREADS);
    }

    /** Called after the library's own settings, which would have each redirect followed, to any server, with any method. */
    @Override
    protected void additionalConfig(HttpClient.Builder builder) {
        builder.followRedirects(Redirect.NEVER);
    }
}
