package dev.flotilla.managementwatcher.stub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.clusterapi.ClusterApiManagers;
import dev.flotilla.testkit.clusterapi.InMemoryCluster;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeManifest;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The cluster {@code blue} of real Cluster API, with three control-plane machines and three workers in memory, and the
 * MachineHealthChecks of {@code examples}.
 */
public final class RemediatedCluster implements AutoCloseable {
    public static final String NAME = "blue";
    public static final String WORKERS = "cluster.x-k8s.io/deployment-name=blue-workers";
    public static final String CONTROL_PLANE = "cluster.x-k8s.io/control-plane=";
    private static final Path HEALTH_CHECKS = Path.of("../examples/cluster-api/machine-health-checks.yaml");
    private static final String NAMESPACE = "default";
    private static final String MACHINES = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines";
    private static final int MACHINES_OF_A_ROLE = 3;

    /** Long, because a replaced machine is drained and another one starts, on a machine that may be busy. */
    private static final Duration TIMEOUT = Duration.ofMinutes(6);

    public final ManagementTestBed bed;
    private final ClusterApiManagers managers;

    private RemediatedCluster(ManagementTestBed bed, ClusterApiManagers managers) {
        this.bed = bed;
        this.managers = managers;
    }

    /** Starts the managers, and creates the objects of the cluster. */
    public static RemediatedCluster start() throws Exception {
        KubeCluster cluster = KubeCluster.start(KubeOptions.apiServer());
        ClusterApiManagers managers = ClusterApiManagers.start(cluster);
        cluster.apply(
                new InMemoryCluster(NAMESPACE, NAME, "v1.35.0", MACHINES_OF_A_ROLE, MACHINES_OF_A_ROLE).manifests());
        return new RemediatedCluster(ManagementTestBed.use(cluster), managers);
    }

    /** Applies the MachineHealthChecks, and waits until they find every machine healthy. */
    public void applyHealthChecks(WatchedTestSite site) throws Exception {
        bed.cluster.apply(KubeManifest.parseAll(Files.readString(HEALTH_CHECKS)).stream()
                .map(each -> each.inNamespace(NAMESPACE))
                .toList());
        awaitHealthy(site);
    }

    /** Waits until there are all machines, and the MachineHealthChecks find them healthy. */
    public void awaitHealthy(WatchedTestSite site) {
        for (String selector : List.of(WORKERS, CONTROL_PLANE)) {
            site.await("healthy machines of " + selector, TIMEOUT, () -> {
                List<KubeObject> machines = machines(selector);
                return machines.size() == MACHINES_OF_A_ROLE
                        && machines.stream()
                                .allMatch(each -> each.isCondition("HealthCheckSucceeded", "True")
                                        && each.isCondition("Ready", "True"));
            });
        }
    }

    /** Waits until a Machine no longer exists. */
    public void awaitDeleted(WatchedTestSite site, KubeObject machine) {
        site.await("the end of " + machine.name(), TIMEOUT, () -> !exists(machine));
    }

    public void await(WatchedTestSite site, String what, KubeObject machine, String condition, String reason) {
        site.await(what, TIMEOUT, () -> reason.equals(reason(machine, condition)));
    }

    /** Returns the Machines with a label. */
    public List<KubeObject> machines(String selector) {
        KubeResponse reply = bed.adminClient.get(MACHINES + "?labelSelector=" + KubeApiPath.encodeQueryValue(selector));
        assertThat(reply).isInstanceOf(KubeResponse.SuccessResponse.class);
        return ((KubeResponse.SuccessResponse) reply).object().list("items");
    }

    /** Whether a Machine exists, and not another one of its name. */
    public boolean exists(KubeObject machine) {
        return bed.adminClient.get(MACHINES + "/" + machine.name()) instanceof KubeResponse.SuccessResponse success
                && success.object().uid().equals(machine.uid());
    }

    /** Returns the reason of a condition of a Machine; null without it. */
    public @Nullable String reason(KubeObject machine, String type) {
        KubeObject condition = bed.readObject("machines", machine.name()).condition(type);
        return condition == null ? null : Objects.requireNonNull(condition.text("reason"));
    }

    /** Returns how many machines the MachineHealthCheck of the workers looks after. */
    public @Nullable Long countCheckedWorkers() {
        return bed.readObject("machinehealthchecks", NAME + "-workers").number("status", "expectedMachines");
    }

    /** Ends the managers; the management cluster stays. */
    @Override
    public void close() {
        managers.close();
    }
}
