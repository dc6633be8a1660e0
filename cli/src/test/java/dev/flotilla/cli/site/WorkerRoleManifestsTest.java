package dev.flotilla.cli.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class WorkerRoleManifestsTest {
    private static final SiteId EAST = new SiteId("east");

    private static List<Object> documents(String yaml) {
        List<Object> all = new ArrayList<>();
        new Load(LoadSettings.builder().build()).loadAllFromString(yaml).forEach(all::add);
        return all;
    }

    @Test
    void roleOfANamespaceNamesTheSecretsAndPinsOfItsClusters() {
        String yaml = WorkerRoleManifests.management(
                List.of(
                        new ClusterKey(EAST, "shop", "k9"),
                        new ClusterKey(EAST, "fleet", "k2"),
                        new ClusterKey(EAST, "fleet", "k1.lab")),
                new ServiceAccount("ops", "worker"));

        assertThat(documents(yaml)).hasSize(14);
        String said = documents(yaml).toString();
        assertThat(said)
                .contains(
                        "namespace=fleet",
                        "namespace=shop",
                        "[{kind=ServiceAccount, name=worker, namespace=ops}]",
                        "kind=RoleBinding, metadata={name=flotilla-node-worker-node-upgrades, namespace=shop}",
                        "resourceNames=[k1.lab-kubeconfig, k1.lab-token, k1.lab-flotilla-pins, k2-kubeconfig, k2-token,"
                                + " k2-flotilla-pins], verbs=[get]",
                        "resources=[configmaps], resourceNames=[k9-flotilla-pins], verbs=[get, patch]",
                        "kind=ConfigMap, metadata={name=k1.lab-flotilla-pins, namespace=fleet,"
                                + " labels={cluster.x-k8s.io/cluster-name=k1.lab}}",
                        "metadata={name=k2-flotilla-pins, namespace=fleet",
                        "metadata={name=k9-flotilla-pins, namespace=shop")
                .doesNotContain("blue");
    }

    @Test
    void manifestOfTheExampleIsUnchanged() throws IOException {
        String made =
                WorkerRoleManifests.management(List.of(new ClusterKey(EAST, "fleet", "blue")), ServiceAccount.WORKER);

        assertThat(documents(made)).isEqualTo(documents(manifest("rbac-management.yaml")));
        assertThat(WorkerRoleManifests.workload(false)).isEqualTo(manifest("rbac-workload.yaml"));
    }

    private static String manifest(String name) throws IOException {
        return Files.readString(Path.of("../deploy/node-worker").resolve(name));
    }
}
