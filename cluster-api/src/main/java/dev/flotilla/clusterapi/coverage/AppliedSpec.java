package dev.flotilla.clusterapi.coverage;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What of a machine's description is applied in place: its version, its failure domain, and the applied fields of its bootstrap and
 * infrastructure objects. Values may be secret: they are hashed, never shown.
 *
 * @param hasFields whether the table applies any field besides the version
 */
public record AppliedSpec(@Nullable String version, JsonObjectReader content, boolean hasFields) {

    /**
     * Reads it from the desired state of a machine.
     *
     * @param desired the part of a request with machine, infrastructureMachine and bootstrapConfig
     */
    public static AppliedSpec read(CoverageTable table, KubeObject desired) {
        KubeObject machine = desired.object(HookObject.MACHINE.field());
        String version = machine.text("spec", "version");
        String failureDomain = machine.text("spec", "failureDomain");
        JsonObjectReader.Builder content = new JsonObjectReader.Builder();
        if (version != null) {
            content.put("version", version);
        }
        if (failureDomain != null) {
            content.put("failureDomain", failureDomain);
        }
        boolean hasFields = !table.of(CoverageTable.MACHINE).applied().isEmpty();
        for (HookObject object : List.of(HookObject.INFRASTRUCTURE_MACHINE, HookObject.BOOTSTRAP_CONFIG)) {
            KubeObject described = object.findIn(desired);
            String kind = described == null ? null : described.text("kind");
            List<SpecPath> applied = kind == null ? List.of() : table.of(kind).applied();
            if (described != null && kind != null && !applied.isEmpty()) {
                hasFields = true;
                content.put(kind, readFields(object.specOf(described), applied));
            }
        }
        return new AppliedSpec(version, content.build(), hasFields);
    }

    private static JsonObjectReader readFields(KubeObject spec, List<SpecPath> paths) {
        JsonObjectReader.Builder fields = new JsonObjectReader.Builder();
        for (SpecPath path : new TreeSet<>(paths)) {
            JsonValue value = spec.valueAt(path.names().toArray(String[]::new));
            if (value != null) {
                fields.put(path.toString(), SortedJson.sort(value));
            }
        }
        return fields.build();
    }
}
