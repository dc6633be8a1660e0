package dev.flotilla.clusterapi.event;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes Events of type Warning. The same message about the same object is one Event, whichever replica writes it. */
public final class ObjectEventWriter {
    private final KubeApiClient api;
    private final InstantSource clock;

    public ObjectEventWriter(KubeApiClient api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    /** Writes an Event about an object. Returns what went wrong; null if the Event exists. */
    public @Nullable String write(KubeObject object, String reason, String message) {
        String suffix = UUID.nameUUIDFromBytes((object.uid() + message).getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 13);
        // The Event of an object that is in no namespace is in the namespace default.
        String namespace = object.namespace().isEmpty() ? "default" : object.namespace();
        JsonObjectReader.Builder involved = new JsonObjectReader.Builder()
                .put("apiVersion", String.valueOf(object.text("apiVersion")))
                .put("kind", String.valueOf(object.text("kind")))
                .put("name", object.name())
                .put("uid", object.uid());
        if (!object.namespace().isEmpty()) {
            involved.put("namespace", object.namespace());
        }
        KubeResponse created = api.createObject(
                KubeApiPath.coreObject(namespace, "events"),
                new JsonObjectReader.Builder()
                        .put("apiVersion", "v1")
                        .put("kind", "Event")
                        .put(
                                "metadata",
                                new JsonObjectReader.Builder()
                                        .put("namespace", namespace)
                                        .put("name", object.name() + "." + suffix)
                                        .build())
                        .put("involvedObject", involved.build())
                        .put("type", "Warning")
                        .put("reason", reason)
                        .put("message", message)
                        .put(
                                "source",
                                new JsonObjectReader.Builder()
                                        .put("component", "flotilla")
                                        .build())
                        .put("reportingComponent", "flotilla.dev/cluster-api-extension")
                        .put("reportingInstance", "")
                        .put("firstTimestamp", now())
                        .put("lastTimestamp", now())
                        .put("count", 1)
                        .build());
        return created instanceof KubeResponse.SuccessResponse
                        || (created instanceof KubeResponse.ErrorResponse error
                                && error.status() == KubeResponse.CONFLICT)
                ? null
                : created.problem();
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
