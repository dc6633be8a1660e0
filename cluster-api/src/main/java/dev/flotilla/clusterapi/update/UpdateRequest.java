package dev.flotilla.clusterapi.update;

import dev.flotilla.clusterapi.coverage.AppliedSpec;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.coverage.IgnoredFields;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import org.jspecify.annotations.Nullable;

/**
 * What an {@code UpdateMachine} request asks for. It has the names of objects, never their uids.
 *
 * @param infrastructureMachine which infrastructure object it has
 * @param bootstrapConfig which bootstrap object it has
 * @param ignored the fields that are not applied, with the values that they should have
 */
record UpdateRequest(
        String namespace,
        String machine,
        String clusterName,
        ObjectName infrastructureMachine,
        ObjectName bootstrapConfig,
        AppliedSpec appliedSpec,
        IgnoredFields ignored) {

    /** Kind and name of an object; the content of a bootstrap object is secret. */
    record ObjectName(@Nullable String kind, String name) {
        static ObjectName of(KubeObject object) {
            return new ObjectName(object.text("kind"), object.name());
        }
    }

    /** Reads a request; null if it names no machine with a version. */
    static @Nullable UpdateRequest read(CoverageTable table, KubeObject request) {
        KubeObject desired = request.object("desired");
        KubeObject machine = desired.object(HookObject.MACHINE.field());
        String clusterName = machine.text("spec", "clusterName");
        AppliedSpec appliedSpec = AppliedSpec.read(table, desired);
        return NameValidator.problemOfSubdomain(machine.name()) != null
                        || NameValidator.problemOfLabel(machine.namespace()) != null
                        || clusterName == null
                        || appliedSpec.version() == null
                ? null
                : new UpdateRequest(
                        machine.namespace(),
                        machine.name(),
                        clusterName,
                        ObjectName.of(desired.object(HookObject.INFRASTRUCTURE_MACHINE.field())),
                        ObjectName.of(desired.object(HookObject.BOOTSTRAP_CONFIG.field())),
                        appliedSpec,
                        IgnoredFields.read(table, desired, HookObject.OF_MACHINE));
    }

    /** Whether the request has the objects that describe a Machine. Without one of them, the target would leave out its fields. */
    boolean describes(MachineState described) {
        return isNamedBy(described.infrastructureRef(), infrastructureMachine)
                && isNamedBy(described.bootstrapRef(), bootstrapConfig);
    }

    private static boolean isNamedBy(@Nullable JsonObjectReader ref, ObjectName object) {
        if (ref == null) {
            return true;
        }
        KubeObject named = new KubeObject(ref);
        return object.equals(new ObjectName(named.text("kind"), String.valueOf(named.text("name"))));
    }
}
