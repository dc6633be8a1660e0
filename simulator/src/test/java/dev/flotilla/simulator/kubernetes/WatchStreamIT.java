package dev.flotilla.simulator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The watch events that a real Kubernetes client sees. */
class WatchStreamIT {
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private SingleClusterFixture fixture;
    private KubernetesClient client;

    @BeforeEach
    void start() throws Exception {
        fixture = new SingleClusterFixture();
        client = fixture.client();
    }

    @AfterEach
    void stop() {
        client.close();
        fixture.close();
    }

    @Test
    void sendsEventsAfterAVersion() throws Exception {
        put("a", "1");
        StoredObject b = put("b", "1");
        put("b", "2");
        remove("a");
        try (Watch watch = watch(Long.toString(b.version()))) {
            assertThat(next()).isEqualTo("MODIFIED b 2");
            assertThat(next()).isEqualTo("DELETED a 1");
            put("c", "1");
            assertThat(next()).isEqualTo("ADDED c 1");
            assertThat(watch).isNotNull();
        }
    }

    @Test
    void beginsWithExistingObjectsWithoutAVersion() throws Exception {
        put("a", "1");
        try (Watch watch = watch("0")) {
            assertThat(next()).isEqualTo("ADDED a 1");
            assertThat(watch).isNotNull();
        }
    }

    @Test
    void endsAWatchThatIsTooFarBehind() throws Exception {
        StoredObject a = put("a", "1");
        put("a", "2");
        fixture.runOnEventLoop(() -> {
            fixture.cluster.store().compact();
            return true;
        });
        try (Watch watch = watch(Long.toString(a.version()))) {
            assertThat(next()).isEqualTo("gone");
            assertThat(watch).isNotNull();
        }
    }

    @Test
    void sendsAddedAndDeletedWhenLabelsChange() throws Exception {
        try (Watch watch = client.nodes().withLabel("step", "2").watch(listener())) {
            put("a", "1");
            put("a", "2");
            assertThat(next()).isEqualTo("ADDED a 2");
            put("a", "3");
            assertThat(next()).isEqualTo("DELETED a 3");
            assertThat(watch).isNotNull();
        }
    }

    @Test
    void informerCatchesUpAfterTheApiWasUnreachable() throws Exception {
        put("a", "1");
        try (SharedIndexInformer<Node> informer = client.nodes().inform(handler())) {
            assertThat(next()).isEqualTo("added a 1");
            assertThat(informer.getStore().list()).hasSize(1);
            put("a", "2");
            assertThat(next()).isEqualTo("updated a 2");

            setReachability(ApiReachability.RESETS);
            put("a", "3");
            fixture.runOnEventLoop(() -> {
                fixture.cluster.store().compact();
                return true;
            });
            setReachability(ApiReachability.ANSWERS);
            assertThat(next()).isEqualTo("updated a 3");
            remove("a");
            assertThat(next()).isEqualTo("deleted a 3");
        }
    }

    private void setReachability(ApiReachability apiReachability) throws Exception {
        fixture.runOnEventLoop(() -> {
            fixture.cluster.reachability(apiReachability);
            return true;
        });
    }

    private StoredObject put(String name, String step) throws Exception {
        return fixture.store(store -> store.put(
                BuiltInResources.NODES.named(name),
                ImmutableJson.object("metadata", ImmutableJson.object("labels", ImmutableJson.object("step", step)))));
    }

    private void remove(String name) throws Exception {
        fixture.store(store -> {
            store.remove(BuiltInResources.NODES.named(name));
            return true;
        });
    }

    private Watch watch(String version) {
        return client.nodes()
                .watch(new ListOptionsBuilder().withResourceVersion(version).build(), listener());
    }

    private String next() throws InterruptedException {
        return seen.poll(15, TimeUnit.SECONDS);
    }

    private static String describe(Node node) {
        return node.getMetadata().getName() + " "
                + node.getMetadata().getLabels().get("step");
    }

    private Watcher<Node> listener() {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, Node node) {
                seen.add(action + " " + describe(node));
            }

            @Override
            public void onClose(WatcherException cause) {
                if (cause.isHttpGone()) {
                    seen.add("gone");
                }
            }
        };
    }

    private ResourceEventHandler<Node> handler() {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Node node) {
                seen.add("added " + describe(node));
            }

            @Override
            public void onUpdate(Node before, Node after) {
                seen.add("updated " + describe(after));
            }

            @Override
            public void onDelete(Node node, boolean unknown) {
                seen.add("deleted " + describe(node));
            }
        };
    }
}
