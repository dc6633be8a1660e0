package dev.flotilla.testkit.clusterapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.kube.KubeManifest;
import org.junit.jupiter.api.Test;

class InMemoryClusterTest {
    @Test
    void namesEachObjectByItsPath() {
        InMemoryCluster cluster = new InMemoryCluster("fleet", "blue", "v1.35.0", 3, 2);

        assertThat(cluster.manifests().stream().map(KubeManifest::path))
                .containsExactly(
                        "/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/clusters/blue",
                        "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/fleet/devclusters/blue",
                        "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/fleet/devmachinetemplates/blue-control-plane",
                        "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/fleet/kubeadmcontrolplanes/blue-control-plane",
                        "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/fleet/devmachinetemplates/blue-workers",
                        "/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/fleet/kubeadmconfigtemplates/blue-workers",
                        "/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/machinedeployments/blue-workers");
        assertThat(cluster.manifests().getLast().text()).contains("  replicas: 2\n", "version: v1.35.0");
    }
}
