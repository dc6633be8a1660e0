package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.JsonValue;
import java.util.List;

/**
 * A field whose change has Cluster API update machines in place.
 *
 * @param kind topology, control-plane or machine-deployment
 * @param covered whether Cluster API replaces none of the machines
 */
public record VersionField(String kind, String name, String version, boolean covered) {
    static List<VersionField> readAll(List<JsonValue> items) {
        return items.stream()
                .map(JsonFieldReader::of)
                .map(field -> new VersionField(
                        field.text("kind"), field.text("name"), field.text("version"), !field.has("problem")))
                .toList();
    }

    public boolean isTopology() {
        return kind.equals("topology");
    }

    /** Whether a machine has the version of this object. */
    public boolean isOwnerOf(MachineRow machine) {
        return machine.controlPlane()
                ? kind.equals("control-plane")
                : kind.equals("machine-deployment")
                        && machine.owner() != null
                        && machine.owner().startsWith("owner/MachineDeployment/")
                        && machine.owner().endsWith("/" + name);
    }
}
