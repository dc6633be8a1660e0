package dev.flotilla.managementwatcher.inplace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.event.WatcherListener;
import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldChange;
import dev.flotilla.schemas.row.VersionFieldKind;
import dev.flotilla.simulator.kubernetes.ApiReachability;
import dev.flotilla.simulator.kubernetes.KubernetesApiHttpServer;
import dev.flotilla.simulator.kubernetes.SimApiServer;
import dev.flotilla.simulator.kubernetes.store.ApiResource;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Version fields are read from the clusters that take part, and written while they have the expected value. */
class InPlaceClustersIT {
    private static final String OLD = "v1.35.4";
    private static final String NEW = "v1.36.3";
    private static final SiteId SITE = new SiteId("east");
    private static final ClusterKey BLUE = new ClusterKey(SITE, "fleet", "blue");
    private static final ApiResource EXTENSION_CONFIGS =
            new ApiResource("runtime.cluster.x-k8s.io", "v1beta2", "extensionconfigs", "ExtensionConfig", false);
    private static final ApiResource CONTROL_PLANES = new ApiResource(
            "controlplane.cluster.x-k8s.io", "v1beta2", "kubeadmcontrolplanes", "KubeadmControlPlane", true);

    private final List<String> reported = new ArrayList<>();
    private final WatcherListener listener = (WatcherListener) Proxy.newProxyInstance(
            WatcherListener.class.getClassLoader(),
            new Class<?>[] {WatcherListener.class},
            (proxy, method, arguments) -> {
                reported.add(method.getName() + " " + Arrays.toString(arguments));
                return null;
            });

    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private SimApiServer cluster;
    private KubeApiClient api;
    private InPlaceClusters inPlaceClusters;

    @BeforeEach
    void start() throws Exception {
        KubernetesApiHttpServer server = await(Future.<KubernetesApiHttpServer>future(promise -> loop.runOnContext(go ->
                KubernetesApiHttpServer.start(vertx, InstantSource.system()).onComplete(promise::handle))));
        cluster = onLoop(() -> server.add("east", "token"));
        api = new KubeApiClient(Config.fromKubeconfig(cluster.kubeconfig()), 8);
        inPlaceClusters = new InPlaceClusters(api, new ServedApiVersions(api), SITE, listener);
        put(
                BuiltInResources.NAMESPACES,
                "",
                "fleet",
                "{'metadata': {'name': 'fleet', 'labels': {'flotilla.dev/in-place': 'enabled'}}}");
        put(
                EXTENSION_CONFIGS,
                "",
                "flotilla",
                "{'metadata': {'name': 'flotilla', 'labels': {'app.kubernetes.io/part-of': 'flotilla'}}, 'status': {'conditions': [{'type': 'Discovered', 'status': 'True'}]}}");
        put(
                BuiltInResources.CLUSTERS,
                "fleet",
                "blue",
                "{'metadata': {'namespace': 'fleet', 'name': 'blue'}, 'spec': {'controlPlaneRef': {'kind': 'KubeadmControlPlane',"
                        + " 'name': 'blue-cp'}}}");
        controlPlane(3, OLD);
        put(
                BuiltInResources.MACHINE_DEPLOYMENTS,
                "fleet",
                "blue-workers",
                "{'metadata': {'namespace': 'fleet', 'name': 'blue-workers'}, 'spec': {'clusterName': 'blue', 'rollout':"
                        + " {'strategy': {'rollingUpdate': {'maxSurge': 1}}}, 'template': {'spec': {'version': 'v1.35.4',"
                        + " 'bootstrap': {'configRef': {'kind': 'KubeadmConfigTemplate'}}}}}}");
    }

    @AfterEach
    void stop() {
        api.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private <T> T onLoop(Callable<T> action) throws Exception {
        return await(Future.future(promise -> loop.runOnContext(go -> {
            try {
                promise.complete(action.call());
            } catch (Exception e) {
                promise.fail(e);
            }
        })));
    }

    private void put(ApiResource resource, String namespace, String name, String json) throws Exception {
        KubeObject object = SampleObjects.kube(json);
        onLoop(() -> cluster.store()
                .put(resource.namespaced() ? resource.named(namespace, name) : resource.named(name), object.json()));
    }

    private void controlPlane(int replicas, String version) throws Exception {
        put(
                CONTROL_PLANES,
                "fleet",
                "blue-cp",
                "{'metadata': {'namespace': 'fleet', 'name': 'blue-cp', 'managedFields': [{'manager': 'argocd', 'time':"
                        + " '2026-07-01T12:00:00Z', 'fieldsV1': {'f:spec': {'f:version': {}}}}]}, 'spec': {'replicas': "
                        + replicas + ", 'version': '" + version
                        + "', 'rollout': {'strategy': {'rollingUpdate': {'maxSurge': 0}}}}}");
    }

    private String controlPlaneVersion() throws Exception {
        StoredObject stored = onLoop(() -> cluster.store().get(CONTROL_PLANES.named("fleet", "blue-cp")));
        return String.valueOf(new KubeObject(Objects.requireNonNull(stored).tree()).text("spec", "version"));
    }

    private void open(String from) {
        inPlaceClusters.openClusters(List.of(new ClusterUpgrade(
                BLUE,
                new RolloutRef.CampaignRef(new CampaignName("up"), 8),
                NEW,
                Instant.EPOCH,
                List.of(new VersionFieldChange(VersionFieldKind.CONTROL_PLANE, "blue-cp", from, false)))));
        inPlaceClusters.runOnce();
    }

    private List<VersionField> read() {
        inPlaceClusters.runOnce();
        return inPlaceClusters.fields().getOrDefault(BLUE, List.of());
    }

    @Test
    void readsTheFieldsOfAClusterAndWhyMachinesWouldBeReplaced() throws Exception {
        assertThat(read())
                .containsExactly(
                        new VersionField(VersionFieldKind.CONTROL_PLANE, "blue-cp", OLD, "argocd", null),
                        new VersionField(
                                VersionFieldKind.MACHINE_DEPLOYMENT,
                                "blue-workers",
                                OLD,
                                null,
                                "its maxSurge is 1, with which Cluster API creates a new machine"));
        controlPlane(1, OLD);
        assertThat(read().getFirst().problem())
                .isEqualTo("it has 1 replica, and Cluster API keeps the members of three or more only");
    }

    @Test
    void nothingElseIsReadWhereNoNamespaceTakesPart() throws Exception {
        put(BuiltInResources.NAMESPACES, "", "fleet", "{'metadata': {'name': 'fleet'}}");
        assertThat(read()).isEmpty();
        assertThat(onLoop(() -> cluster.requestCounter().requests()))
                .as("on every management cluster without updates in place of Cluster API")
                .isEqualTo(Map.of("list namespaces", 1L));
    }

    @Test
    void writesAFieldThatHasTheExpectedValue() throws Exception {
        open(OLD);
        assertThat(controlPlaneVersion()).isEqualTo(NEW);
        assertThat(inPlaceClusters.fields().get(BLUE).getFirst().version()).isEqualTo(NEW);
        assertThat(reported).containsExactly("versionWritten [" + BLUE + ", control plane blue-cp, " + NEW + "]");
    }

    /** Such a control plane has no hooks: Cluster API replaces its members. */
    @Test
    void aTopologyWithAnotherKindOfControlPlaneHasAProblem() throws Exception {
        put(
                BuiltInResources.CLUSTERS,
                "fleet",
                "blue",
                "{'metadata': {'namespace': 'fleet', 'name': 'blue'}, 'spec': {'controlPlaneRef': {'kind': 'CK8sControlPlane',"
                        + " 'name': 'blue-cp'}, 'topology': {'version': 'v1.35.4'}}}");
        assertThat(read()).first().satisfies(field -> {
            assertThat(field.kind()).isEqualTo(VersionFieldKind.TOPOLOGY);
            assertThat(field.problem())
                    .contains("its control plane is a CK8sControlPlane, which replaces its machines");
        });
    }

    @Test
    void aReadThatFailsIsReportedOnceAndTheFieldsThatWereReadStay() throws Exception {
        List<VersionField> before = read();
        assertThat(before).isNotEmpty();
        onLoop(() -> {
            cluster.reachability(ApiReachability.RESETS);
            return true;
        });
        assertThat(read()).isEqualTo(before);
        assertThat(read()).isEqualTo(before);
        assertThat(reported).hasSize(1).first().asString().startsWith("versionsUnreadable [");
    }

    @Test
    void leavesAFieldThatHasAnotherValue() throws Exception {
        controlPlane(3, "v1.35.5");
        open(OLD);
        assertThat(controlPlaneVersion()).isEqualTo("v1.35.5");
    }

    @Test
    void aClusterTakesPartWhileItsNamespaceHasTheLabelAndIsNotCoveredWithoutAnExtension() throws Exception {
        assertThat(read()).isNotEmpty();
        put(
                EXTENSION_CONFIGS,
                "",
                "flotilla",
                "{'metadata': {'name': 'flotilla', 'labels': {'app.kubernetes.io/part-of': 'flotilla'}}, 'status': {'conditions': [{'type': 'Discovered', 'status': 'False'}]}}");
        assertThat(read())
                .allMatch(field -> String.valueOf(field.problem()).contains("has not discovered the extension"));
        onLoop(() -> {
            cluster.store().remove(EXTENSION_CONFIGS.named("flotilla"));
            return true;
        });
        assertThat(read())
                .hasSize(2)
                .allMatch(field -> String.valueOf(field.problem())
                        .contains("remove label flotilla.dev/in-place of the namespace"));
        put(BuiltInResources.NAMESPACES, "", "fleet", "{'metadata': {'name': 'fleet'}}");
        assertThat(read()).isEmpty();
    }
}
