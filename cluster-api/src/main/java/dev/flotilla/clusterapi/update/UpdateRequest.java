package dev.flotilla.clusterapi.update;

import dev.flotilla.clusterapi.coverage.AppliedSpec;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.coverage.IgnoredFields;
import dev.flotilla.kube.KubeObject;
import org.jspecify.annotations.Nullable;

/**
 * What an {@code UpdateMachine} request asks for. It has the names of objects, never their uids.
 *
 * @param ignored the fields that are not applied, with the values that they should have
 */
record UpdateRequest(
        String namespace, String machine, String clusterName, AppliedSpec appliedSpec, IgnoredFields ignored) {

    /** Reads a request; null if it names no machine with a version. */
    static @Nullable UpdateRequest read(CoverageTable table, KubeObject request) {
        KubeObject desired = request.object("desired");
        KubeObject machine = desired.object(HookObject.MACHINE.field());
        String clusterName = machine.text("spec", "clusterName");
        AppliedSpec appliedSpec = AppliedSpec.read(table, desired);
        return machine.name().isEmpty()
                        || machine.namespace().isEmpty()
                        || clusterName == null
                        || appliedSpec.version() == null
                ? null
                : new UpdateRequest(
                        machine.namespace(),
                        machine.name(),
                        clusterName,
                        appliedSpec,
                        IgnoredFields.read(table, desired, HookObject.OF_MACHINE));
    }
}
