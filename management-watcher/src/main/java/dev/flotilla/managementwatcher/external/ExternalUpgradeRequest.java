package dev.flotilla.managementwatcher.external;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to upgrade machines of a cluster in place.
 *
 * @param owner the owner of the machines; null if only names select them
 * @param machines names of Machines; empty for all of the owner's that differ
 * @param dryRun whether only the answer is wanted
 */
public record ExternalUpgradeRequest(
        ClusterName cluster,
        @Nullable ObjectRef owner,
        List<String> machines,
        NewSpec newSpec,
        @Nullable Integer ttlSecondsAfterFinished,
        boolean dryRun) {
    public ExternalUpgradeRequest {
        machines = machines.stream().distinct().sorted().toList();
    }

    /** Names a Cluster. */
    public record ClusterName(String namespace, String name) {}

    /** Names an object in the namespace of the cluster. */
    public record ObjectRef(String apiGroup, String kind, String name) {}

    /** What the machines are to become. */
    public record NewSpec(
            @Nullable String version, @Nullable MachineSpec machineSpec) {}

    /** The objects that describe a machine, and the hash of what is applied of them. */
    public record MachineSpec(
            String hash,
            @Nullable ObjectRef bootstrapRef,
            @Nullable ObjectRef infrastructureRef) {}
}
