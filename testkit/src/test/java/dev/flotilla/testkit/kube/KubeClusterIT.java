package dev.flotilla.testkit.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Two clusters on one etcd, as seen by an independent client. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class KubeClusterIT {
    private static final String READER = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata:
              name: reader
            rules:
            - apiGroups: [""]
              resources: [configmaps]
              resourceNames: [readable]
              verbs: [get]
            """;
    private static final String BINDING = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata:
              name: reader
            roleRef:
              apiGroup: rbac.authorization.k8s.io
              kind: Role
              name: reader
            subjects:
            - apiGroup: rbac.authorization.k8s.io
              kind: User
              name: flotilla:reader
            """;
    private static final String MACHINE = """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Machine
            metadata:
              name: w-1
              namespace: default
            spec:
              clusterName: k1
              version: v1.35.0
              bootstrap:
                configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: CK8sConfig, name: w-1}
              infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: LXCMachine, name: w-1}
            """;

    private static EtcdServer etcd;
    private static KubeCluster management;
    private static KubeCluster workload;
    private static KubernetesClient admin;

    @BeforeAll
    static void start() {
        etcd = EtcdServer.start();
        management =
                KubeCluster.start(etcd, "management", KubeOptions.apiServer()).withClusterApi();
        workload = KubeCluster.start(etcd, "workload", KubeOptions.apiServer());
        admin = KubernetesClients.of(management.kubeconfig());
    }

    @AfterAll
    static void stop() {
        admin.close();
        workload.close();
        management.close();
        etcd.close();
    }

    @Test
    void versionMatchesTheFolder() {
        assertThat(KubeBinaries.VERSIONS)
                .startsWith("kubernetes-"
                        + admin.getKubernetesVersion().getGitVersion().substring(1) + "-");
    }

    @Test
    void clustersOnOneEtcdDoNotSeeEachOther() {
        admin.resource(configMap("only-here")).inNamespace("default").create();

        try (KubernetesClient other = KubernetesClients.of(workload.kubeconfig())) {
            assertThat(other.configMaps()
                            .inNamespace("default")
                            .withName("only-here")
                            .get())
                    .isNull();
        }
    }

    @Test
    void machineIsServedInBothVersions() {
        admin.resource(MACHINE).create();

        GenericKubernetesResource old = admin.genericKubernetesResources("cluster.x-k8s.io/v1beta1", "Machine")
                .inNamespace("default")
                .withName("w-1")
                .get();

        assertThat(old.getApiVersion()).isEqualTo("cluster.x-k8s.io/v1beta1");
        assertThat((String) old.get("spec", "clusterName")).isEqualTo("k1");
    }

    @Test
    void machineWithoutAClusterIsRejected() {
        assertThat(KubernetesClients.rejectionCode(
                        () -> admin.resource(MACHINE.replace("clusterName: k1", "paused: true"))
                                .create()))
                .isEqualTo(422);
    }

    @Test
    void userMayDoWhatTheRoleAllowsOnly() {
        admin.resource(configMap("readable")).inNamespace("default").create();
        management.apply("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/reader", READER);
        management.apply("/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings/reader", BINDING);

        try (KubernetesClient impersonated = KubernetesClients.as(management.kubeconfig(), "flotilla:reader");
                KubernetesClient certified = KubernetesClients.of(management.kubeconfig("flotilla:reader"))) {
            assertNarrow(impersonated);
            assertNarrow(certified);
        }
    }

    private static void assertNarrow(KubernetesClient reader) {
        assertThat(reader.configMaps()
                        .inNamespace("default")
                        .withName("readable")
                        .get())
                .isNotNull();
        assertThat(KubernetesClients.rejectionCode(
                        () -> reader.configMaps().inNamespace("default").list()))
                .isEqualTo(403);
        assertThat(KubernetesClients.rejectionCode(() ->
                        reader.secrets().inNamespace("default").withName("any").get()))
                .isEqualTo(403);
        assertThat(KubernetesClients.rejectionCode(() -> reader.resource(configMap("readable"))
                        .inNamespace("default")
                        .delete()))
                .isEqualTo(403);
    }

    @Test
    void killedApiServerRestartsOnItsDataAndPort() {
        try (KubernetesClient client = KubernetesClients.of(workload.kubeconfig())) {
            String uid = client.resource(configMap("kept"))
                    .inNamespace("default")
                    .create()
                    .getMetadata()
                    .getUid();

            workload.kill();
            assertThat(workload.isUp()).isFalse();
            assertThatThrownBy(() -> client.configMaps().inNamespace("default").list())
                    .isInstanceOf(KubernetesClientException.class);

            workload.restart();
            assertThat(client.configMaps()
                            .inNamespace("default")
                            .withName("kept")
                            .get()
                            .getMetadata()
                            .getUid())
                    .isEqualTo(uid);
        }
    }

    @Test
    void auditLogContainsUserAndVerb() throws Exception {
        try (KubernetesClient other = KubernetesClients.of(management.kubeconfig("somebody", "system:masters"))) {
            other.resource(configMap("seen")).inNamespace("default").create();
        }

        assertThat(Files.readAllLines(management.auditLog()))
                .filteredOn(line -> line.contains("\"username\":\"somebody\"") && line.contains("\"verb\":\"create\""))
                .hasSize(1);
    }

    private static ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }
}
