package dev.flotilla.cli.site.sync;

import dev.flotilla.clusterapi.plan.ManifestText;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies the objects of a manifest to a cluster, by server-side apply. */
final class RoleManifestApplier {
    /** The label of what was applied, by which it is found again when its cluster is gone. */
    static final String LABEL = "app.kubernetes.io/managed-by";

    static final String MANAGER = "flotilla-site-sync";

    private final KubeApiClient api;

    RoleManifestApplier(KubeApiClient api) {
        this.api = api;
    }

    /** Returns the objects of a manifest of this build, each with the label. */
    static List<KubeObject> parse(String manifest) {
        ManifestText read = ManifestText.read("manifest of this build", manifest);
        if (!read.problems().isEmpty()) {
            throw new IllegalStateException(read.problems().toString());
        }
        return read.objects().stream().map(RoleManifestApplier::labelled).toList();
    }

    private static KubeObject labelled(KubeObject object) {
        JsonObjectReader labels =
                object.labels().json().toBuilder().put(LABEL, MANAGER).build();
        JsonObjectReader metadata = object.object("metadata").json().toBuilder()
                .put("labels", labels)
                .build();
        return new KubeObject(
                object.json().toBuilder().put("metadata", metadata).build());
    }

    /** Applies objects in their order. Returns the first problem; null if there is none. */
    @Nullable
    String apply(List<KubeObject> objects) {
        for (KubeObject object : objects) {
            KubeResponse reply =
                    api.serverSideApply(path(object) + "?force=true&fieldManager=" + MANAGER, object.json());
            if (!(reply instanceof KubeResponse.SuccessResponse)) {
                return describe(object) + ": " + reply.problem();
            }
        }
        return null;
    }

    /** Returns the path of an object. */
    static String path(KubeObject object) {
        return KubeApiPath.objectPath(
                Objects.requireNonNull(object.text("apiVersion")),
                object.text("metadata", "namespace"),
                plural(Objects.requireNonNull(object.text("kind"))),
                object.name());
    }

    private static String plural(String kind) {
        String lower = kind.toLowerCase(Locale.ROOT);
        return lower.endsWith("y") ? lower.substring(0, lower.length() - 1) + "ies" : lower + "s";
    }

    static String describe(KubeObject object) {
        return object.text("kind") + " " + (object.namespace().isEmpty() ? "" : object.namespace() + "/")
                + object.name();
    }
}
