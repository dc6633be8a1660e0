package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.view.UpgradeCondition;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.managementwatcher.view.WatcherAnnotationKeys;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Changes objects at an API server, at the pace that it is to be asked at. Blocks, and is meant for virtual threads. */
public final class ObjectWriter {
    /** What we write is ours by this name. */
    private static final String MANAGER = "?fieldManager=" + WatcherAnnotationKeys.FIELD_MANAGER;

    /** In it the conditions of Cluster API's objects are a map by type; before, who writes one writes all. */
    private static final String CONDITIONS_SINCE = "v1beta2";

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

    /** Whether one condition of an object can be written without the others. */
    boolean canWriteCondition(WatchedKind watchedKind) {
        return watchedKind != WatchedKind.CONTROL_PLANES
                && CONDITIONS_SINCE.equals(versions.knownVersionOf(watchedKind.group(), watchedKind.plural()));
    }

    KubeResponse writeObject(ObjectWrite objectWrite) {
        if (objectWrite instanceof ObjectWrite.JoinerReleaseWrite joinerReleaseWrite) {
            String path = KubeApiPath.coreObject(joinerReleaseWrite.object().namespace(), "configmaps") + "/"
                    + JoinerReleaseConfigMaps.NAME;
            return paced(() -> api.serverSideApply(
                    path + "?force=true&fieldManager="
                            + JoinerReleaseConfigMaps.fieldManager(joinerReleaseWrite.object()),
                    JoinerReleaseConfigMaps.toConfigMap(joinerReleaseWrite)));
        }
        WatchedKind watchedKind = WatchedKind.kindOf(objectWrite.object());
        return versions.requestWithVersion(
                watchedKind.group(), watchedKind.plural(), served -> made(objectWrite, watchedKind, served));
    }

    private KubeResponse made(ObjectWrite objectWrite, WatchedKind watchedKind, String served) {
        ObjectKey key = objectWrite.object();
        String path = KubeApiPath.groupObject(served, key.namespace(), watchedKind.plural(), key.name());
        return switch (objectWrite) {
            case AnnotationWrite annotationWrite -> amend(annotationWrite, served, path);
            case ObjectWrite.ConditionWrite conditionWrite ->
                paced(() -> api.serverSideApply(path + "/status" + MANAGER, applied(conditionWrite, served)));
            case ObjectWrite.EventWrite eventWrite -> tell(key, eventWrite.uid(), served, eventWrite.event(), "");
            case ObjectWrite.JoinerReleaseWrite joinerReleaseWrite ->
                throw new IllegalArgumentException(joinerReleaseWrite + " is about no object's own");
        };
    }

    /** Amends an object, and tells of it once that is done. */
    private KubeResponse amend(AnnotationWrite annotationWrite, String served, String path) {
        KubeResponse reply = paced(() -> api.mergePatch(path + MANAGER, body(annotationWrite)));
        UpgradeEvent upgradeEvent = annotationWrite.event();
        if (reply instanceof KubeResponse.SuccessResponse && upgradeEvent != null) {
            // What came of it shows on the object; an Event that is lost is not worth a second try.
            var unused = tell(
                    annotationWrite.object(),
                    annotationWrite.uid(),
                    served,
                    upgradeEvent,
                    " " + annotationWrite.annotations());
        }
        return reply;
    }

    private KubeResponse tell(ObjectKey key, String uid, String served, UpgradeEvent upgradeEvent, String more) {
        String what = uid + " " + upgradeEvent.reason() + " " + upgradeEvent.message() + more;
        return paced(() -> api.createObject(
                KubeApiPath.coreObject(key.namespace(), "events"),
                KubeEventFactory.createEvent(key, uid, served, upgradeEvent, what, now())));
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private interface Request {
        KubeResponse made();
    }

    private KubeResponse paced(Request request) {
        try {
            TimeUnit.NANOSECONDS.sleep(writeRateLimiter.acquirePermit());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new KubeResponse.NoResponse("interrupted");
        }
        KubeResponse reply = request.made();
        if (reply instanceof KubeResponse.ErrorResponse errorResponse && errorResponse.retryAfterSeconds() > 0) {
            writeRateLimiter.pauseWrites(errorResponse.retryAfterSeconds());
        }
        return reply;
    }

    private static JsonObjectReader body(AnnotationWrite annotationWrite) {
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

    /** Everything that we say in a status; what we do not say any more goes. */
    private JsonObjectReader applied(ObjectWrite.ConditionWrite change, String served) {
        ObjectKey key = change.object();
        UpgradeCondition upgradeCondition = change.condition();
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
                                .put("uid", change.uid())
                                .build())
                .put("status", status.build())
                .build();
    }
}
