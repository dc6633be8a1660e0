package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.view.MachineTaskCondition;
import dev.flotilla.managementwatcher.view.ManagedFieldsReader;
import dev.flotilla.managementwatcher.view.UpgradeCondition;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    /**
     * Field manager of the condition of a Machine's UpgradeTask: a server-side apply removes what its manager wrote
     * before and does not write again.
     */
    private static final String TASK_FIELD_MANAGER = ManagedFieldsReader.FIELD_MANAGER + "-task";

    private final KubeApiClient api;
    private final ServedApiVersions versions;
    private final PacedRequestSender sender;
    private final InstantSource clock;

    public ObjectWriter(
            KubeApiClient api, ServedApiVersions versions, WriteRateLimiter writeRateLimiter, InstantSource clock) {
        this.api = api;
        this.versions = versions;
        this.sender = new PacedRequestSender(writeRateLimiter);
        this.clock = clock;
    }

    /** Returns the writer of UpgradeTasks, which shares the rate limit. */
    UpgradeTaskWriter taskWriter() {
        return new UpgradeTaskWriter(api, versions, sender, clock);
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
            return sender.sendPaced(() -> api.serverSideApply(
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
                sender.sendPaced(() -> api.serverSideApply(
                        path + "/status" + FIELD_MANAGER_QUERY, buildStatus(conditionWrite, served)));
            case ObjectWrite.EventWrite eventWrite ->
                createEvent(key, eventWrite.uid(), served, eventWrite.event(), "");
            case ObjectWrite.TaskConditionWrite taskConditionWrite ->
                sender.sendPaced(() -> api.serverSideApply(
                        path + "/status?force=true&fieldManager=" + TASK_FIELD_MANAGER,
                        buildTaskStatus(taskConditionWrite, served)));
            case ObjectWrite.JoinerReleaseWrite joinerReleaseWrite ->
                throw new IllegalArgumentException(joinerReleaseWrite + " is not written to an object");
        };
    }

    /** Patches an object's annotations, and then creates the Event. */
    private KubeResponse patchAnnotations(AnnotationWrite annotationWrite, String served, String path) {
        KubeResponse reply =
                sender.sendPaced(() -> api.mergePatch(path + FIELD_MANAGER_QUERY, buildPatch(annotationWrite)));
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
        return sender.sendPaced(() -> api.createObject(
                KubeApiPath.coreObject(key.namespace(), "events"),
                KubeEventFactory.buildEvent(key, uid, served, upgradeEvent, identity, now())));
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
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

    private JsonObjectReader buildStatus(ObjectWrite.ConditionWrite write, String served) {
        UpgradeCondition condition = write.condition();
        return buildStatus(
                write.object(),
                write.uid(),
                served,
                condition == null
                        ? List.of()
                        : List.of(buildCondition(
                                UpgradeCondition.TYPE,
                                condition.status(),
                                condition.reason(),
                                condition.message(),
                                condition.since())));
    }

    private JsonObjectReader buildTaskStatus(ObjectWrite.TaskConditionWrite write, String served) {
        List<JsonValue> conditions = new ArrayList<>();
        MachineTaskCondition condition = write.condition();
        if (condition != null) {
            conditions.add(buildCondition(condition));
            if (condition.showsFinalFailure() && !condition.type().equals(MachineTaskCondition.UPGRADE_FAILED)) {
                conditions.add(buildCondition(new MachineTaskCondition(
                        MachineTaskCondition.UPGRADE_FAILED,
                        "True",
                        condition.reason(),
                        condition.message(),
                        condition.since())));
            }
        }
        return buildStatus(write.object(), write.uid(), served, conditions);
    }

    private JsonObjectReader buildCondition(MachineTaskCondition condition) {
        return buildCondition(
                condition.type(), condition.status(), condition.reason(), condition.message(), condition.since());
    }

    private JsonObjectReader buildCondition(String type, String status, String reason, String message, String since) {
        return new JsonObjectReader.Builder()
                .put("type", type)
                .put("status", status)
                .put("reason", reason)
                .put("message", message)
                .put("lastTransitionTime", since.isEmpty() ? now() : since)
                .build();
    }

    /** Builds the status for server-side apply: fields of ours that are missing in it are removed. */
    private static JsonObjectReader buildStatus(ObjectKey key, String uid, String served, List<JsonValue> conditions) {
        JsonObjectReader.Builder status = new JsonObjectReader.Builder();
        if (!conditions.isEmpty()) {
            status.put("conditions", new JsonValue.JsonArray(conditions, JsonValue.NO_LINE));
        }
        return new JsonObjectReader.Builder()
                .put("apiVersion", served)
                .put("kind", KubeEventFactory.kind(key))
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("namespace", key.namespace())
                                .put("name", key.name())
                                .put("uid", uid)
                                .build())
                .put("status", status.build())
                .build();
    }
}
