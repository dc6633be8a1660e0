package dev.flotilla.clusterapi.coverage;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An object that a hook asks about, with its names in the request and the response. */
public enum HookObject {
    MACHINE("machine", Requirement.REQUIRED, "spec"),
    INFRASTRUCTURE_MACHINE("infrastructureMachine", Requirement.REQUIRED, "spec"),
    BOOTSTRAP_CONFIG("bootstrapConfig", Requirement.OPTIONAL, "spec"),
    MACHINE_SET("machineSet", Requirement.REQUIRED, "spec", "template", "spec"),
    INFRASTRUCTURE_MACHINE_TEMPLATE("infrastructureMachineTemplate", Requirement.REQUIRED, "spec", "template", "spec"),
    BOOTSTRAP_CONFIG_TEMPLATE("bootstrapConfigTemplate", Requirement.OPTIONAL, "spec", "template", "spec");

    /** The objects of {@code CanUpdateMachine} and {@code UpdateMachine}. */
    public static final List<HookObject> OF_MACHINE = List.of(MACHINE, INFRASTRUCTURE_MACHINE, BOOTSTRAP_CONFIG);

    /** The objects of {@code CanUpdateMachineSet}. */
    public static final List<HookObject> OF_MACHINE_SET =
            List.of(MACHINE_SET, INFRASTRUCTURE_MACHINE_TEMPLATE, BOOTSTRAP_CONFIG_TEMPLATE);

    private enum Requirement {
        REQUIRED,
        OPTIONAL
    }

    private final String field;
    private final Requirement requirement;
    private final List<String> specPath;

    HookObject(String field, Requirement requirement, String... specPath) {
        this.field = field;
        this.requirement = requirement;
        this.specPath = List.of(specPath);
    }

    /** Returns the name of the field with the object. */
    public String field() {
        return field;
    }

    /** Returns the name of the response's field with the patch. */
    public String patchField() {
        return field + "Patch";
    }

    boolean isRequired() {
        return requirement == Requirement.REQUIRED;
    }

    boolean isMachine() {
        return this == MACHINE || this == MACHINE_SET;
    }

    /** Returns the path of the compared spec in the object. */
    List<String> specPath() {
        return specPath;
    }

    /** Returns the object in a part of a request; null if there is none. */
    @Nullable
    public KubeObject findIn(KubeObject part) {
        return part.has(field) ? part.object(field) : null;
    }

    /** Whether the compared spec of an object, or what it is in, is there and is no object. */
    boolean hasWrongSpec(KubeObject object) {
        for (int depth = 1; depth <= specPath.size(); depth++) {
            JsonValue part = object.valueAt(specPath.subList(0, depth).toArray(String[]::new));
            if (part != null && !(part instanceof JsonObjectReader)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the compared spec of an object; an empty one if there is none. */
    KubeObject specOf(KubeObject object) {
        return object.object(specPath.toArray(String[]::new));
    }
}
