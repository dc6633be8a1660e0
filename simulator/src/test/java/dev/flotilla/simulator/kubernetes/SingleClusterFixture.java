package dev.flotilla.simulator.kubernetes;

import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** One cluster behind a real HTTP server, and a real client for it. */
final class SingleClusterFixture implements AutoCloseable {
    static final String TOKEN = "let-me-in";

    final KubernetesApiHttpServer api;
    final SimApiServer cluster;
    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();

    SingleClusterFixture() throws Exception {
        api = await(Future.<KubernetesApiHttpServer>future(promise -> loop.runOnContext(go ->
                KubernetesApiHttpServer.start(vertx, InstantSource.system()).onComplete(promise::handle))));
        cluster = runOnEventLoop(() -> api.add("north.a", TOKEN));
    }

    KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(config(Config.fromKubeconfig(cluster.kubeconfig())))
                .build();
    }

    KubernetesClient client(String token) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(config(Config.fromKubeconfig(cluster.kubeconfig())))
                        .withOauthToken(token)
                        .build())
                .build();
    }

    /** Disables retries that a test cannot wait for. */
    static Config config(Config config) {
        config.setRequestRetryBackoffLimit(0);
        config.setWatchReconnectInterval(20);
        return config;
    }

    <T> T store(Function<ClusterObjectStore, T> action) throws Exception {
        return runOnEventLoop(() -> action.apply(cluster.store()));
    }

    <T> T runOnEventLoop(Callable<T> action) throws Exception {
        return await(Future.future(promise -> loop.runOnContext(go -> {
            try {
                promise.complete(action.call());
            } catch (Exception e) {
                promise.fail(e);
            }
        })));
    }

    static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
