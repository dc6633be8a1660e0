package dev.flotilla.nodeworker.mend;

import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.UserKubeconfig;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.hands.SiteSettings;
import dev.flotilla.nodeworker.management.GuardPolicy;
import dev.flotilla.nodeworker.management.Guards;
import dev.flotilla.nodeworker.management.Kubeconfigs;
import dev.flotilla.nodeworker.management.Machines;
import dev.flotilla.nodeworker.management.Mark;
import dev.flotilla.nodeworker.pins.Bearer;
import dev.flotilla.nodeworker.pins.Pins;
import dev.flotilla.nodeworker.workload.Cordon;
import dev.flotilla.nodeworker.workload.Nodes;
import dev.flotilla.nodeworker.workload.WorkloadClusters;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A site's management cluster and the clusters behind it in the hands of a person, with that person's own rights. */
public final class Mending implements AutoCloseable {
    private static final int AT_ONCE = 4;
    private static final Duration TIMEOUT = SiteSettings.DEFAULT.timeout();

    private final String server;
    private final KubeApiClient management;
    private final Machines machines;
    private final Guards guards;
    private final Pins pins;
    private final WorkloadClusters clusters;

    private Mending(KubeApiClient management) {
        this.server = management.config().getMasterUrl();
        this.management = management;
        this.machines = new Machines(management, System::nanoTime);
        this.guards = new Guards(machines, GuardPolicy.DEFAULT);
        this.pins = new Pins(management, System::nanoTime);
        this.clusters = new WorkloadClusters(
                new Kubeconfigs(management, ForbiddenAddresses.isLoopback(server)),
                AT_ONCE,
                AT_ONCE,
                TIMEOUT,
                InstantSource.system(),
                System::nanoTime);
    }

    /**
     * Opens a management cluster.
     *
     * @param kubeconfig null for what kubectl would use here
     */
    public static Mending open(@Nullable Path kubeconfig) throws IOException {
        if (kubeconfig == null) {
            return new Mending(new KubeApiClient(KubeConnectionConfig.open(null, TIMEOUT), AT_ONCE));
        }
        return new Mending(UserKubeconfig.open(kubeconfig, TIMEOUT, AT_ONCE));
    }

    /** Which API server is asked. */
    public String server() {
        return server;
    }

    /** What attempts have left on a machine and its node. */
    public Look<Leftovers> leftovers(MachineKey key) {
        return machine(key, (machine, cluster) -> {
            String node = machine.text("status", "nodeRef", "name");
            Mark guarding = Mark.onMachine(machine);
            if (node == null) {
                return new Look.Seen<>(new Leftovers(key, machine.uid(), cluster, null, guarding, null));
            }
            return clusters.ask(
                    cluster,
                    api -> {
                        KubeResponse reply = new Nodes(api).node(node);
                        if (!(reply instanceof KubeResponse.SuccessResponse) && !reply.isMissing()) {
                            return new Look.Dark<>("node " + node + " cannot be read: " + reply.problem());
                        }
                        Mark cordon = reply instanceof KubeResponse.SuccessResponse successResponse ? Mark.onNode(successResponse.object()) : null;
                        return new Look.Seen<>(new Leftovers(key, machine.uid(), cluster, node, guarding, cordon));
                    },
                    why -> new Look.Dark<>("cluster " + cluster + " cannot be asked: " + why));
        });
    }

    /** Undoes them, as far as they are still those of the same attempts. Null once it is done; else what went wrong. */
    public @Nullable String undo(Leftovers left) {
        Mark cordon = left.cordon();
        String node = left.node();
        if (cordon != null && node != null) {
            String problem = clusters.<@Nullable String>ask(
                    left.cluster(),
                    api -> new Cordon(new Nodes(api)).undo(node, cordon.attempt(), cordon.owner(), null),
                    why -> why);
            if (problem != null) {
                return problem;
            }
        }
        Mark mark = left.guards();
        // What the mark says that it set is read anew and not taken on trust.
        return mark == null ? null : guards.release(left.key(), mark.attempt(), mark.owner(), null);
    }

    /** What is known of a machine's certificate. */
    public Look<Trusted> trust(MachineKey key) {
        return machine(key, (machine, cluster) -> {
            Bearer bearer = Bearer.of(key.name(), machine);
            return new Look.Seen<>(new Trusted(cluster, bearer, pins.of(cluster, bearer)));
        });
    }

    /** Forgets a certificate, so that another may be shown. Null once it is so; else what went wrong. */
    public @Nullable String resetTrust(Trusted trusted) {
        return pins.reset(trusted.cluster(), trusted.bearer());
    }

    private <T> Look<T> machine(MachineKey key, BiFunction<KubeObject, ClusterKey, Look<T>> then) {
        KubeResponse reply = machines.machine(key);
        if (reply.isMissing()) {
            return new Look.Missing<>();
        }
        if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
            return new Look.Dark<>("the management cluster at " + server + " does not tell of it: " + reply.problem());
        }
        String cluster = successResponse.object().text("spec", "clusterName");
        return cluster == null
                ? new Look.Dark<>("the Machine names no cluster")
                : then.apply(successResponse.object(), new ClusterKey(key.site(), key.namespace(), cluster));
    }

    @Override
    public void close() {
        clusters.close();
        management.close();
    }
}
