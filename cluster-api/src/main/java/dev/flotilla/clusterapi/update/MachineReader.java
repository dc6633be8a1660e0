package dev.flotilla.clusterapi.update;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;

/** Reads Machines in the version that the API server serves. */
public final class MachineReader {
    private static final String GROUP = "cluster.x-k8s.io";
    private static final String MACHINES = "machines";

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
