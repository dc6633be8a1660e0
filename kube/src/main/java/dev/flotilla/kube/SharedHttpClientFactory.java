package dev.flotilla.kube;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Makes HTTP clients that share their threads. Otherwise each client has its own pool, which grows with the number of concurrent
 * requests, and there are as many clients as clusters. Tasks on these threads never block.
 */
final class SharedHttpClientFactory extends JdkHttpClientFactory {
    private static final ExecutorService THREADS = Executors.newFixedThreadPool(
            2 * Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().name("flotilla-kube-", 0).daemon().factory());

    @Override
    protected HttpClient.Builder createNewHttpClientBuilder() {
        return HttpClient.newBuilder().executor(THREADS);
    }

    /** Turns off redirects. The library's default would follow each one to any server, with any method. */
    @Override
    protected void additionalConfig(HttpClient.Builder builder) {
        builder.followRedirects(Redirect.NEVER);
    }
}
