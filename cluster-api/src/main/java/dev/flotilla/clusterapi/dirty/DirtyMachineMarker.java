package dev.flotilla.clusterapi.dirty;

import dev.flotilla.clusterapi.coverage.IgnoredFields;
import dev.flotilla.clusterapi.event.ConditionPatch;
import dev.flotilla.clusterapi.hashing.TargetHasher;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.kube.LabelKeys;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Marks a Machine that should have other values in fields that are not applied, while it is updated: annotation, label and condition. */
public final class DirtyMachineMarker {
    /** The condition on a Machine. */
    static final String CONDITION = "flotilla.dev/Dirty";

    private static final String GROUP = "cluster.x-k8s.io";
    private static final String MACHINES = "machines";
    private static final int MAX_NAMED = 16;

    private final KubeApiClient api;
    private final ServedApiVersions versions;
    private final InstantSource clock;

    public DirtyMachineMarker(KubeApiClient api, InstantSource clock) {
        this.api = api;
        this.versions = new ServedApiVersions(api);
        this.clock = clock;
    }

    /**
     * What a Machine has about itself.
     *
     * @param keptValues the annotation with the hashes of the values that it keeps; null for none
     * @param fields the annotation with the fields that are not applied; null for none
     */
    public record DirtyAnnotations(
            @Nullable String keptValues, @Nullable String fields) {
        public static DirtyAnnotations readFrom(KubeObject machine) {
            return new DirtyAnnotations(
                    machine.annotation(AnnotationKeys.KEPT_VALUES), machine.annotation(AnnotationKeys.DIRTY));
        }
    }

    /**
     * Marks a Machine, or removes its marks.
     *
     * @param desired the ignored fields with the values that it should have
     * @return null, or why it could not be marked
     */
    public @Nullable String mark(
            String namespace, String name, DirtyAnnotations now, IgnoredFields desired, TargetHasher hasher) {
        KeptValues kept = KeptValues.parse(now.keptValues()).only(desired);
        List<String> dirty = kept.findDirty(desired, hasher);
        DirtyAnnotations next = new DirtyAnnotations(kept.toAnnotation(), describe(dirty));
        if (next.equals(now)) {
            return null;
        }
        KubeResponse read = request(namespace, name, "", null);
        if (!(read instanceof KubeResponse.SuccessResponse found)) {
            return read.isMissing() ? null : read.problem();
        }
        // The annotation comes last: it says that the condition is written.
        KubeResponse written = writeCondition(found.object(), next.fields());
        if (written == null || written instanceof KubeResponse.SuccessResponse) {
            written = request(namespace, name, "", annotationPatch(next));
        }
        return written instanceof KubeResponse.SuccessResponse || written.isMissing() ? null : written.problem();
    }

    private static @Nullable String describe(List<String> dirty) {
        if (dirty.isEmpty()) {
            return null;
        }
        return dirty.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
                + (dirty.size() > MAX_NAMED ? " and " + (dirty.size() - MAX_NAMED) + " more" : "");
    }

    /** Returns null if there is nothing to write. */
    private @Nullable KubeResponse writeCondition(KubeObject machine, @Nullable String fields) {
        String message = fields == null ? null : "accepted and not applied: " + fields;
        KubeObject shown = machine.condition(CONDITION);
        if (Objects.equals(message, shown == null ? null : shown.text("message"))) {
            return null;
        }
        return request(
                machine.namespace(),
                machine.name(),
                "/status",
                ConditionPatch.build(machine, CONDITION, "ChangesNotApplied", message, clock.instant()));
    }

    private static JsonObjectReader annotationPatch(DirtyAnnotations next) {
        return new JsonObjectReader.Builder()
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put(
                                        "annotations",
                                        new JsonObjectReader.Builder()
                                                .put(AnnotationKeys.KEPT_VALUES, textOrRemoval(next.keptValues()))
                                                .put(AnnotationKeys.DIRTY, textOrRemoval(next.fields()))
                                                .build())
                                .put(
                                        "labels",
                                        new JsonObjectReader.Builder()
                                                .put(
                                                        LabelKeys.DIRTY,
                                                        textOrRemoval(next.fields() == null ? null : "true"))
                                                .build())
                                .build())
                .build();
    }

    private static JsonValue textOrRemoval(@Nullable String text) {
        return text == null
                ? new JsonValue.JsonNull(JsonValue.NO_LINE)
                : new JsonValue.JsonString(text, JsonValue.NO_LINE);
    }

    /** Reads a Machine, or writes a patch of it. */
    private KubeResponse request(String namespace, String name, String part, @Nullable JsonObjectReader patch) {
        return versions.requestWithVersion(GROUP, MACHINES, version -> {
            String path = KubeApiPath.groupObject(version, namespace, MACHINES, name) + part;
            return patch == null ? api.get(path) : api.mergePatch(path, patch);
        });
    }
}
