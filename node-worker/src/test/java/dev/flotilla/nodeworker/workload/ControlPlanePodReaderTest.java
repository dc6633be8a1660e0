package dev.flotilla.nodeworker.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.flotilla.core.upgrade.ControlPlaneComponent;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.nodeworker.workload.ControlPlanePodReader.PodsResult;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlPlanePodReaderTest {
    private static final String POD = """
            {"metadata": {"name": "kube-apiserver-%1$s", "labels": {"component": "kube-apiserver", "tier": "control-plane"}},
             "spec": {"nodeName": "%1$s", "containers": [{"name": "kube-apiserver", "image": "registry.k8s.io/kube-apiserver:%2$s"}]},
             "status": {"conditions": [{"type": "Ready", "status": "True"}]}}""";

    /** As the API server of a cluster of Cluster API's in-memory provider. */
    @Test
    void podsOfOtherNodesDoNotCountWhereTheApiServerIgnoresFieldSelectors() throws Exception {
        byte[] body = "{\"metadata\": {}, \"items\": [%s, %s]}"
                .formatted(POD.formatted("cp-1", "v1.35.3"), POD.formatted("cp-2", "v1.35.2"))
                .getBytes(StandardCharsets.UTF_8);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .build();
        try (KubeApiClient api = new KubeApiClient(config, 1)) {
            assertThat(new ControlPlanePodReader(api).readComponents("cp-1"))
                    .isEqualTo(new PodsResult.ComponentsRead(
                            List.of(new ControlPlaneComponent("kube-apiserver", "v1.35.3", true))));
        } finally {
            server.stop(0);
        }
    }
}
