package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.view.ManagedFieldsReader;
import dev.flotilla.managementwatcher.view.UpgradeCondition;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Writes to objects at an API server, at a limited rate. Blocks, and is meant for virtual threads. */
public final class ObjectWriter {
    /** The field manager under which the API server records our writes. */
    private static final String FIELD_MANAGER_QUERY = "?fieldManager=" + ManagedFieldsReader.FIELD_MANAGER;

    /**
     * From this version on the conditions of Cluster API's objects are a map by type. In earlier ones a writer of one
     * replaces all.
     */
    private static final String CONDITION_MAP_VERSION = "v1beta2";

    private final KubeApiClient api;
    private final ServedApiVersions versions;
    private final WriteRateLimiter writeRateLimiter;
    private final InstantSource clock;

    public ObjectWriter(
            KubeApiClient api, ServedApiVersions versions, WriteRateLimiter writeRateLimiter, InstantSource clock) {
        this.api = api;
        this.versions = versions;
        this.writeRateLimiter = writeRateLimiter;
        this.clock = clock;
    }

    /** Whether one condition of this kind can be written without the others. */
    boolean canWriteCondition(WatchedKind watchedKind) {
        return watchedKind != WatchedKind.CONTROL_PLANES
                && CONDITION_MAP_VERSION.equals(versions.knownVersionOf(watchedKind.group(), watchedKind.plural()));
    }

    KubeResponse writeObject(ObjectWrite objectWrite) {
        if (objectWrite instanceof ObjectWrite.JoinerReleaseWrite joinerReleaseWrite) {
            String path = KubeApiPath.coreObject(joinerReleaseWrite.object().namespace(), "configmaps") + "/"
                    + JoinerReleaseConfigMaps.NAME;
            return sendPaced(() -> api.serverSideApply(
                    path + "?force=true&fieldManager="
                            + JoinerReleaseConfigMaps.fieldManager(joinerReleaseWrite.object()),
                    JoinerReleaseConfigMaps.toConfigMap(joinerReleaseWrite)));
        }
        WatchedKind watchedKind = WatchedKind.kindOf(objectWrite.object());
        return versions.requestWithVersion(
                watchedKind.group(), watchedKind.plural(), served -> sendWrite(objectWrite, watchedKind, served));
    }

    private KubeResponse sendWrite(ObjectWrite objectWrite, WatchedKind watchedKind, String served) {
        ObjectKey key = objectWrite.object();
        String path = KubeApiPath.groupObject(served, key.namespace(), watchedKind.plural(), key.name());
        return switch (objectWrite) {
            case AnnotationWrite annotationWrite -> patchAnnotations(annotationWrite, served, path);
            case ObjectWrite.ConditionWrite conditionWrite ->
                sendPaced(() -> api.serverSideApply(
                        path + "/status" + FIELD_MANAGER_QUERY, buildStatus(conditionWrite, served)));
            case ObjectWrite.EventWrite eventWrite ->
                createEvent(key, eventWrite.uid(), served, eventWrite.event(), "");
            case ObjectWrite.JoinerReleaseWrite joinerReleaseWrite ->
                throw new IllegalArgumentException(joinerReleaseWrite + " is not written to an object");
        };
    }

    /** Patches an object's annotations, and then creates the Event. */
    private KubeResponse patchAnnotations(AnnotationWrite annotationWrite, String served, String path) {
        KubeResponse reply = sendPaced(() -> api.mergePatch(path + FIELD_MANAGER_QUERY, buildPatch(annotationWrite)));
        UpgradeEvent upgradeEvent = annotationWrite.event();
        if (reply instanceof KubeResponse.SuccessResponse && upgradeEvent != null) {
            // The object shows the result, so an Event that is lost is not retried.
            var unused = createEvent(
                    annotationWrite.object(),
                    annotationWrite.uid(),
                    served,
                    upgradeEvent,
                    " " + annotationWrite.annotations());
        }
        return reply;
    }

    private KubeResponse createEvent(
            ObjectKey key, String uid, String served, UpgradeEvent upgradeEvent, String identitySuffix) {
        String identity = uid + " " + upgradeEvent.reason() + " " + upgradeEvent.message() + identitySuffix;
        return sendPaced(() -> api.createObject(
                KubeApiPath.coreObject(key.namespace(), "events"),
                KubeEventFactory.buildEvent(key, uid, served, upgradeEvent, identity, now())));
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private interface Request {
        KubeResponse send();
    }

    private KubeResponse sendPaced(Request request) {
        try {
            TimeUnit.NANOSECONDS.sleep(writeRateLimiter.acquirePermit());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new KubeResponse.NoResponse("interrupted");
        }
        KubeResponse reply = request.send();
        if (reply instanceof KubeResponse.ErrorResponse errorResponse && errorResponse.retryAfterSeconds() > 0) {
            writeRateLimiter.pauseWrites(errorResponse.retryAfterSeconds());
        }
        return reply;
    }

    private static JsonObjectReader buildPatch(AnnotationWrite annotationWrite) {
        JsonObjectReader.Builder annotations = new JsonObjectReader.Builder();
        for (Map.Entry<String, @Nullable String> each :
                annotationWrite.annotations().entrySet()) {
            String value = each.getValue();
            if (value == null) {
                annotations.put(each.getKey(), new JsonValue.JsonNull(JsonValue.NO_LINE));
            } else {
                annotations.put(each.getKey(), value);
            }
        }
        JsonObjectReader.Builder metadata = new JsonObjectReader.Builder()
                .put("uid", annotationWrite.uid())
                .put("annotations", annotations.build());
        if (annotationWrite.readVersion() != 0) {
            metadata.put("resourceVersion", Long.toString(annotationWrite.readVersion()));
        }
        return new JsonObjectReader.Builder().put("metadata", metadata.build()).build();
    }

    /** Builds the status for server-side apply: fields of ours that are missing in it are removed. */
    private JsonObjectReader buildStatus(ObjectWrite.ConditionWrite write, String served) {
        ObjectKey key = write.object();
        UpgradeCondition upgradeCondition = write.condition();
        JsonObjectReader.Builder status = new JsonObjectReader.Builder();
        if (upgradeCondition != null) {
            JsonObjectReader one = new JsonObjectReader.Builder()
                    .put("type", UpgradeCondition.TYPE)
                    .put("status", upgradeCondition.status())
                    .put("reason", upgradeCondition.reason())
                    .put("message", upgradeCondition.message())
                    .put("lastTransitionTime", upgradeCondition.since().isEmpty() ? now() : upgradeCondition.since())
                    .build();
            status.put("conditions", new JsonValue.JsonArray(List.of(one), JsonValue.NO_LINE));
        }
        return new JsonObjectReader.Builder()
                .put("apiVersion", served)
                .put("kind", KubeEventFactory.kind(key))
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("namespace", key.namespace())
                                .put("name", key.name())
                                .put("uid", write.uid())
                                .build())
                .put("status", status.build())
                .build();
    }
}
