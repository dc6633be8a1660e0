package dev.flotilla.managementwatcher.leave;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.view.ManagedFieldsReader;
import dev.flotilla.managementwatcher.view.ReportedChangeAnnotation;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.kube.AnnotationKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Removes from a management cluster the annotations of Flotilla that would be wrong after the site has left: the
 * provider's controllers would wait for a change-id of Flotilla, or adopt it. Annotations that people wrote (hold,
 * opt-out, time-zone) and the status of finished upgrades (status, release) stay.
 */
public final class SiteLeaveCleanup implements AutoCloseable {
    private static final int MAX_OBJECTS = 200_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MAX_CONCURRENT_REQUESTS = 8;
    /** The webhook of {@code intercept-webhook.yaml}, which clusters before Kubernetes 1.36 have in place of the policy. */
    private static final String WEBHOOK = KubeApiPath.objectPath(
            "admissionregistration.k8s.io/v1", null, "mutatingwebhookconfigurations", "flotilla-intercept");

    private static final List<String> OUR_ANNOTATIONS = List.of(
            AnnotationKeys.OUR_UPGRADE_TO,
            AnnotationKeys.LAST_FULFILLED,
            AnnotationKeys.DEFAULT_RELEASE,
            AnnotationKeys.OWN_CHANGE,
            AnnotationKeys.ATTEMPT,
            AnnotationKeys.UPGRADE_TASK,
            AnnotationKeys.REACHED_SPEC);

    private final KubeApiClient api;
    private final ServedApiVersions versions;

    /** Opens the management cluster of a kubeconfig. */
    public static SiteLeaveCleanup open(Path kubeconfig) throws IOException {
        return new SiteLeaveCleanup(
                new KubeApiClient(KubeConnectionConfig.open(kubeconfig, TIMEOUT), MAX_CONCURRENT_REQUESTS));
    }

    public SiteLeaveCleanup(KubeApiClient api) {
        this.api = api;
        this.versions = new ServedApiVersions(api);
    }

    /**
     * What there is to remove.
     *
     * @param removable objects, each with the annotations to remove
     * @param tasks UpgradeTasks with the finalizer, which nobody else removes
     * @param guarded Machines with an attempt annotation: the worker has not cleaned up yet
     * @param unreported Machines with a change-id of Flotilla: the watcher has not written how the upgrade ended
     * @param intents objects with an upgrade annotation that would be removed before it is fulfilled, and UpgradeTasks
     *     that have machines
     * @param problems what could not be listed
     */
    public record CleanupPlan(
            List<RemovableAnnotations> removable,
            List<RemovableFinalizer> tasks,
            List<String> guarded,
            List<String> unreported,
            List<String> intents,
            List<String> problems) {
        public CleanupPlan {
            removable = List.copyOf(removable);
            tasks = List.copyOf(tasks);
            guarded = List.copyOf(guarded);
            unreported = List.copyOf(unreported);
            intents = List.copyOf(intents);
            problems = List.copyOf(problems);
        }
    }

    /**
     * An object and the annotations to remove from it.
     *
     * @param path path of the object in the API
     */
    public record RemovableAnnotations(String path, Set<String> keys) {}

    /**
     * An UpgradeTask with the finalizer.
     *
     * @param path path of the object in the API
     * @param others its other finalizers
     */
    public record RemovableFinalizer(String path, String version, List<String> others) {
        public RemovableFinalizer {
            others = List.copyOf(others);
        }
    }

    /** Whether a webhook hides the provider's annotation here, and not a policy. */
    public boolean isInterceptedByWebhook() {
        return api.get(WEBHOOK) instanceof KubeResponse.SuccessResponse;
    }

    /** Lists all objects and plans what to remove. Changes nothing. */
    public CleanupPlan planCleanup() {
        List<RemovableAnnotations> removable = new ArrayList<>();
        List<RemovableFinalizer> tasks = new ArrayList<>();
        List<String> guarded = new ArrayList<>();
        List<String> unreported = new ArrayList<>();
        List<String> intents = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (WatchedKind watchedKind : WatchedKind.values()) {
            String version = versions.versionOf(watchedKind.group(), watchedKind.plural());
            if (version == null) {
                problems.add(watchedKind.plural() + ": the served version cannot be read from the API server");
            } else if (!version.isEmpty()) {
                String served = watchedKind.group() + "/" + version;
                String problem = api.forEachObject(
                        KubeApiPath.listPath(served, watchedKind.plural()), "", MAX_OBJECTS, object -> {
                            Set<String> keys = findRemovableKeys(object);
                            String name = object.namespace() + "/" + object.name();
                            if (!keys.isEmpty()) {
                                removable.add(new RemovableAnnotations(
                                        KubeApiPath.groupObject(
                                                served, object.namespace(), watchedKind.plural(), object.name()),
                                        keys));
                            }
                            if (object.annotation(AnnotationKeys.ATTEMPT) != null) {
                                guarded.add(name);
                            }
                            if (isChangeOurs(object)) {
                                unreported.add(name);
                            }
                            if (watchedKind == WatchedKind.UPGRADE_TASKS) {
                                addTask(object, served, tasks, intents);
                            }
                            if (object.annotation(AnnotationKeys.OUR_UPGRADE_TO) != null) {
                                intents.add(watchedKind.plural() + " " + name + " "
                                        + object.annotation(AnnotationKeys.OUR_UPGRADE_TO));
                            }
                        });
                if (problem != null) {
                    problems.add(watchedKind.plural() + ": " + problem);
                }
            }
        }
        return new CleanupPlan(removable, tasks, guarded, unreported, intents, problems);
    }

    private static void addTask(
            KubeObject object, String served, List<RemovableFinalizer> tasks, List<String> intents) {
        List<String> finalizers = object.texts("metadata", "finalizers");
        if (finalizers.contains(UpgradeTaskView.FINALIZER)) {
            tasks.add(new RemovableFinalizer(
                    KubeApiPath.groupObject(
                            served, object.namespace(), WatchedKind.UPGRADE_TASKS.plural(), object.name()),
                    object.resourceVersion(),
                    finalizers.stream()
                            .filter(each -> !each.equals(UpgradeTaskView.FINALIZER))
                            .toList()));
            intents.add(WatchedKind.UPGRADE_TASKS.plural() + " " + object.namespace() + "/" + object.name());
        }
    }

    /** Removes the planned annotations and returns what could not be removed. */
    public List<String> runCleanup(CleanupPlan cleanupPlan) {
        List<String> problems = new ArrayList<>();
        for (RemovableAnnotations each : cleanupPlan.removable()) {
            JsonObjectReader.Builder annotations = new JsonObjectReader.Builder();
            each.keys().forEach(key -> annotations.put(key, new JsonValue.JsonNull(JsonValue.NO_LINE)));
            JsonObjectReader metadata = new JsonObjectReader.Builder()
                    .put("annotations", annotations.build())
                    .build();
            KubeResponse reply = api.mergePatch(
                    each.path() + "?fieldManager=" + ManagedFieldsReader.FIELD_MANAGER,
                    new JsonObjectReader.Builder().put("metadata", metadata).build());
            if (!(reply instanceof KubeResponse.SuccessResponse) && !reply.isMissing()) {
                problems.add(each.path() + ": " + reply.problem());
            }
        }
        for (RemovableFinalizer each : cleanupPlan.tasks()) {
            JsonObjectReader metadata = new JsonObjectReader.Builder()
                    .put("resourceVersion", each.version())
                    .put("finalizers", each.others())
                    .build();
            KubeResponse reply = api.mergePatch(
                    each.path() + "?fieldManager=" + ManagedFieldsReader.FIELD_MANAGER,
                    new JsonObjectReader.Builder().put("metadata", metadata).build());
            if (!(reply instanceof KubeResponse.SuccessResponse) && !reply.isMissing()) {
                problems.add(each.path() + ": " + reply.problem());
            }
        }
        return problems;
    }

    private static Set<String> findRemovableKeys(KubeObject object) {
        Set<String> keys = new TreeSet<>();
        for (String key : OUR_ANNOTATIONS) {
            if (object.annotation(key) != null) {
                keys.add(key);
            }
        }
        boolean inProgress = "in-progress".equals(object.annotation(AnnotationKeys.STATUS));
        if (isChangeOurs(object)) {
            keys.add(AnnotationKeys.CHANGE_ID);
        }
        if (inProgress && (isChangeOurs(object) || object.annotation(AnnotationKeys.OUR_UPGRADE_TO) != null)) {
            keys.add(AnnotationKeys.STATUS);
        }
        KubeObject attempt = KubeObject.parse(object.annotation(AnnotationKeys.ATTEMPT));
        if (attempt != null) {
            attempt.texts("setAnnotations").stream()
                    .filter(AnnotationKeys.GUARDS::contains)
                    .forEach(keys::add);
        }
        return keys;
    }

    private static boolean isChangeOurs(KubeObject object) {
        String changeId = object.annotation(AnnotationKeys.CHANGE_ID);
        ReportedChangeAnnotation reportedChangeAnnotation =
                ReportedChangeAnnotation.parse(object.annotation(AnnotationKeys.OWN_CHANGE));
        return changeId != null
                && reportedChangeAnnotation != null
                && reportedChangeAnnotation.changeId().equals(changeId);
    }

    @Override
    public void close() {
        api.close();
    }
}
