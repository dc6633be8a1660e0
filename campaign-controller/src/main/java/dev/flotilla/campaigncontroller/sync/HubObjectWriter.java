package dev.flotilla.campaigncontroller.sync;

import dev.flotilla.campaigncontroller.object.HubKind;
import dev.flotilla.campaigncontroller.object.HubObject;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.RowCodec;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.TableRow;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes objects of the hub cluster. What fails is tried again with the next pass. Used by one thread. */
final class HubObjectWriter {
    private static final String FIELD_MANAGER = "fieldManager=" + HubObject.MANAGER;

    private final KubeApiClient api;
    private final String namespace;

    HubObjectWriter(KubeApiClient api, String namespace) {
        this.api = api;
        this.namespace = namespace;
    }

    /** Writes a status if it has changed. Returns the problem; null for success. */
    @Nullable
    String writeStatus(HubObject object, JsonObjectReader status) {
        if (sorted(status).equals(sorted(object.json().object("status").json()))) {
            return null;
        }
        JsonObjectReader body = new JsonObjectReader.Builder()
                .put("apiVersion", HubKind.VERSION)
                .put("kind", object.kind().kind())
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("namespace", object.namespace())
                                .put("name", object.name())
                                .put("uid", object.uid())
                                .build())
                .put("status", status)
                .build();
        return problemOfChange(api.serverSideApply(object.path() + "/status?force=true&" + FIELD_MANAGER, body));
    }

    /** The same value with its fields in alphabetical order, as text: an API server has an order of its own. */
    private static String sorted(JsonValue value) {
        return switch (value) {
            case JsonObjectReader object -> {
                SortedMap<String, String> fields = new TreeMap<>();
                for (int i = 0; i < object.size(); i++) {
                    fields.put(object.name(i), sorted(object.value(i)));
                }
                yield fields.toString();
            }
            case JsonValue.JsonArray array ->
                array.items().stream().map(HubObjectWriter::sorted).toList().toString();
            default -> KubeObject.toJsonText(value);
        };
    }

    /** Adds or removes the finalizer, unless the object has changed meanwhile. */
    @Nullable
    String writeFinalizer(HubObject object, boolean present) {
        JsonObjectReader metadata = new JsonObjectReader.Builder()
                .put("uid", object.uid())
                .put("resourceVersion", object.json().resourceVersion())
                .put("finalizers", object.finalizersWith(present))
                .build();
        return problemOfChange(api.mergePatch(
                object.path() + "?" + FIELD_MANAGER,
                new JsonObjectReader.Builder().put("metadata", metadata).build()));
    }

    /** Creates the object of a row. One that somebody has created meanwhile stays as it is. */
    @Nullable
    String createFromRow(HubKind kind, String name, TableRow row) {
        KubeObject manifest = manifestOf(row);
        JsonObjectReader labels = manifest.object("metadata", "labels").json().toBuilder()
                .put(HubObject.ORIGIN_LABEL, HubObject.ORIGIN_KAFKA)
                .build();
        JsonObjectReader body = new JsonObjectReader.Builder()
                .put("apiVersion", HubKind.VERSION)
                .put("kind", kind.kind())
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("namespace", namespace)
                                .put("name", name)
                                .put("labels", labels)
                                .put("finalizers", List.of(HubObject.FINALIZER))
                                .build())
                .put("spec", manifest.object("spec").json())
                .build();
        return problemOf(api.createObject(kind.listPath(namespace) + "?" + FIELD_MANAGER, body));
    }

    /** Gives an object the labels and the spec of its row, unless it has changed meanwhile. */
    @Nullable
    String updateFromRow(HubObject object, TableRow row) {
        KubeObject manifest = manifestOf(row);
        JsonObjectReader metadata = new JsonObjectReader.Builder()
                .put("uid", object.uid())
                .put("resourceVersion", object.json().resourceVersion())
                .put(
                        "labels",
                        MergePatch.toReplace(
                                SharedLabels.sharedOf(object.json().labels().json()),
                                manifest.object("metadata", "labels").json()))
                .build();
        JsonObjectReader body = new JsonObjectReader.Builder()
                .put("metadata", metadata)
                .put(
                        "spec",
                        MergePatch.toReplace(
                                object.json().object("spec").json(),
                                manifest.object("spec").json()))
                .build();
        return problemOfChange(api.mergePatch(object.path() + "?" + FIELD_MANAGER, body));
    }

    /** Defaults are written out, so the manifest may be larger than any record in the topic. */
    private static KubeObject manifestOf(TableRow row) {
        byte[] manifest = RowCodec.encode(row instanceof Campaign campaign ? SharedLabels.of(campaign) : row);
        return Objects.requireNonNull(KubeObject.parseBody(manifest, manifest.length, Integer.MAX_VALUE));
    }

    @Nullable
    String delete(HubObject object) {
        return problemOfChange(api.deleteObject(object.path(), object.uid()));
    }

    /** An object that is to be changed or deleted may be gone by now: that is no problem. */
    private static @Nullable String problemOfChange(KubeResponse response) {
        return response.isMissing() ? null : problemOf(response);
    }

    private static @Nullable String problemOf(KubeResponse response) {
        return response instanceof KubeResponse.SuccessResponse ? null : response.problem();
    }
}
