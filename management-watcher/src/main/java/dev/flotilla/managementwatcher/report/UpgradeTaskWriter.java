package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.view.ManagedFieldsReader;
import dev.flotilla.managementwatcher.view.NamespacedName;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Writes UpgradeTasks, at a limited rate. Blocks, and is meant for virtual threads. */
final class UpgradeTaskWriter {
    private static final String KIND = "UpgradeTask";
    private static final String FIELD_MANAGER = "fieldManager=" + ManagedFieldsReader.FIELD_MANAGER;

    private final KubeApiClient api;
    private final ServedApiVersions versions;
    private final PacedRequestSender sender;
    private final InstantSource clock;

    UpgradeTaskWriter(KubeApiClient api, ServedApiVersions versions, PacedRequestSender sender, InstantSource clock) {
        this.api = api;
        this.versions = versions;
        this.sender = sender;
        this.clock = clock;
    }

    KubeResponse write(UpgradeTaskWrite write) {
        return versions.requestWithVersion(
                WatchedKind.UPGRADE_TASKS.group(), WatchedKind.UPGRADE_TASKS.plural(), served -> send(write, served));
    }

    private KubeResponse send(UpgradeTaskWrite write, String served) {
        UpgradeTaskView task = write.task();
        NamespacedName key = task.key();
        String path = KubeApiPath.groupObject(served, key.namespace(), WatchedKind.UPGRADE_TASKS.plural(), key.name());
        return switch (write) {
            case UpgradeTaskWrite.TaskFinalizerWrite finalizerWrite ->
                sender.sendPaced(() -> api.mergePatch(path + "?" + FIELD_MANAGER, buildFinalizers(finalizerWrite)));
            case UpgradeTaskWrite.TaskStatusWrite statusWrite -> writeStatus(statusWrite, served, path);
            case UpgradeTaskWrite.TaskDeletion deletion -> sender.sendPaced(() -> api.deleteObject(path, task.uid()));
        };
    }

    /** Writes the status, and then creates the Event, which is not retried: the object shows the same. */
    private KubeResponse writeStatus(UpgradeTaskWrite.TaskStatusWrite write, String served, String path) {
        KubeResponse reply = sender.sendPaced(
                () -> api.serverSideApply(path + "/status?force=true&" + FIELD_MANAGER, buildStatus(write, served)));
        UpgradeEvent event = write.event();
        if (reply instanceof KubeResponse.SuccessResponse && event != null) {
            NamespacedName key = write.task().key();
            var unused = sender.sendPaced(() -> api.createObject(
                    KubeApiPath.coreObject(key.namespace(), "events"),
                    KubeEventFactory.buildEvent(
                            new KubeEventFactory.EventSubject(
                                    served,
                                    KIND,
                                    key.namespace(),
                                    key.name(),
                                    write.task().uid()),
                            event,
                            write.task().uid() + " " + event.reason() + " " + event.message(),
                            now())));
        }
        return reply;
    }

    private static JsonObjectReader buildFinalizers(UpgradeTaskWrite.TaskFinalizerWrite write) {
        UpgradeTaskView task = write.task();
        List<String> finalizers = new ArrayList<>(task.finalizers());
        finalizers.remove(UpgradeTaskView.FINALIZER);
        if (write.present()) {
            finalizers.add(UpgradeTaskView.FINALIZER);
        }
        JsonObjectReader.Builder metadata = new JsonObjectReader.Builder()
                .put("uid", task.uid())
                .put("resourceVersion", Long.toString(task.version()))
                .put("finalizers", finalizers);
        return new JsonObjectReader.Builder().put("metadata", metadata.build()).build();
    }

    private JsonObjectReader buildStatus(UpgradeTaskWrite.TaskStatusWrite write, String served) {
        NamespacedName key = write.task().key();
        return new JsonObjectReader.Builder()
                .put("apiVersion", served)
                .put("kind", KIND)
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("namespace", key.namespace())
                                .put("name", key.name())
                                .put("uid", write.task().uid())
                                .build())
                .put("status", UpgradeTaskStatusJson.toJson(write.status(), now()))
                .build();
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
