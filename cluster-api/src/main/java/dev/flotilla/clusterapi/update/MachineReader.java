package dev.flotilla.clusterapi.update;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.schemas.kube.LabelKeys;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads Machines in the version that the API server serves. */
public final class MachineReader {
    private static final String GROUP = "cluster.x-k8s.io";
    private static final String MACHINES = "machines";
    private static final int MAX_MACHINES = 100_000;

    private final KubeApiClient api;
    private final ServedApiVersions versions;

    public MachineReader(KubeApiClient api) {
        this.api = api;
        this.versions = new ServedApiVersions(api);
    }

    /** A Machine as it was read. */
    sealed interface MachineReadResult {
        /** There is one. */
        record MachineFound(MachineState machine) implements MachineReadResult {}

        /** There is none. */
        record MachineMissing() implements MachineReadResult {}

        /** It is not known whether there is one. */
        record MachineUnreadable(String problem) implements MachineReadResult {}
    }

    /**
     * Lists the uids of a cluster's Machines that are updated in place and not being deleted; null if they cannot be listed. That one is not
     * in the list says little: its label may be missing.
     */
    @Nullable
    Set<String> listUpdating(String namespace, String cluster) {
        String version = versions.versionOf(GROUP, MACHINES);
        if (version == null || version.isEmpty()) {
            return null;
        }
        Set<String> uids = new HashSet<>();
        String problem = api.forEachObject(
                KubeApiPath.groupObject(GROUP + "/" + version, namespace, MACHINES),
                "&labelSelector=" + KubeApiPath.encodeQueryValue(LabelKeys.CLUSTER_NAME + "=" + cluster),
                MAX_MACHINES,
                object -> {
                    MachineState machine = MachineState.of(object);
                    if (machine.updating() && !machine.deleting()) {
                        uids.add(machine.uid());
                    }
                });
        if (problem != null) {
            // Another version may be served by now.
            versions.forget(GROUP, MACHINES);
            return null;
        }
        return uids;
    }

    MachineReadResult read(String namespace, String name) {
        KubeResponse read = versions.requestWithVersion(
                GROUP, MACHINES, version -> api.get(KubeApiPath.groupObject(version, namespace, MACHINES, name)));
        if (read instanceof KubeResponse.SuccessResponse found) {
            return new MachineReadResult.MachineFound(MachineState.of(found.object()));
        }
        String served = read.isMissing() ? versions.versionOf(GROUP, MACHINES) : null;
        return served != null && !served.isEmpty()
                ? new MachineReadResult.MachineMissing()
                : new MachineReadResult.MachineUnreadable(read.problem());
    }
}
