package dev.flotilla.managementwatcher.leave;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.view.ReportedChangeAnnotation;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.managementwatcher.view.WatcherAnnotationKeys;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Removes from a management cluster what Flotilla wrote there and what would be wrong without it: a change-id of ours would be
 * waited for, or adopted, by the provider's controllers. What people wrote (hold, opt-out, time-zone) and what was reported of
 * upgrades that are over (status, release) stays.
 */
public final class SiteLeaveCleanup implements AutoCloseable {
    private static final int MOST_OBJECTS = 200_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int AT_ONCE = 8;
    private static final List<String> OURS = List.of(
            WatcherAnnotationKeys.OUR_UPGRADE_TO,
            WatcherAnnotationKeys.FULFILLED,
            WatcherAnnotationKeys.STANDING_RELEASE,
            WatcherAnnotationKeys.REPORTED,
            WatcherAnnotationKeys.ATTEMPT);

    /** What a worker's mark may name as set by it. */
    private static final List<String> GUARDS =
            List.of(WatcherAnnotationKeys.SKIP_REMEDIATION, WatcherAnnotationKeys.SCALE_DOWN_DISABLED);

    private final KubeApiClient api;
    private final ServedApiVersions versions;

    /** Of the management cluster that a kubeconfig leads to. */
    public static SiteLeaveCleanup open(Path kubeconfig) throws IOException {
        return new SiteLeaveCleanup(new KubeApiClient(KubeConnectionConfig.open(kubeconfig, TIMEOUT), AT_ONCE));
    }

    public SiteLeaveCleanup(KubeApiClient api) {
        this.api = api;
        this.versions = new ServedApiVersions(api);
    }

    /**
     * What is there to be removed.
     *
     * @param removable objects, each with the keys to remove
     * @param guarded Machines that bear a worker's mark: it has still to undo what it did
     * @param unreported Machines with a change-id of ours: the watcher has still to write how it ended
     * @param intents objects with a wish that would be removed unfulfilled
     * @param problems what could not be listed
     */
    public record CleanupPlan(
            List<RemovableAnnotations> removable,
            List<String> guarded,
            List<String> unreported,
            List<String> intents,
            List<String> problems) {
        public CleanupPlan {
            removable = List.copyOf(removable);
            guarded = List.copyOf(guarded);
            unreported = List.copyOf(unreported);
            intents = List.copyOf(intents);
            problems = List.copyOf(problems);
        }
    }

    /**
     * An object with what is to be removed from it.
     *
     * @param path in the API
     */
    public record RemovableAnnotations(String path, Set<String> keys) {}

    /** Lists everything. Changes nothing. */
    public CleanupPlan planCleanup() {
        List<RemovableAnnotations> found = new ArrayList<>();
        List<String> guarded = new ArrayList<>();
        List<String> unreported = new ArrayList<>();
        List<String> wishes = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (WatchedKind watchedKind : WatchedKind.values()) {
            String version = versions.versionOf(watchedKind.group(), watchedKind.plural());
            if (version == null) {
                problems.add(watchedKind.plural() + ": nobody says in which version they are served");
            } else if (!version.isEmpty()) {
                String served = watchedKind.group() + "/" + version;
                String problem = api.forEachObject(
                        KubeApiPath.listPath(served, watchedKind.plural()), "", MOST_OBJECTS, object -> {
                            Set<String> keys = keys(object);
                            String name = object.namespace() + "/" + object.name();
                            if (!keys.isEmpty()) {
                                found.add(new RemovableAnnotations(
                                        KubeApiPath.groupObject(
                                                served, object.namespace(), watchedKind.plural(), object.name()),
                                        keys));
                            }
                            if (object.annotation(WatcherAnnotationKeys.ATTEMPT) != null) {
                                guarded.add(name);
                            }
                            if (isChangeOurs(object)) {
                                unreported.add(name);
                            }
                            if (object.annotation(WatcherAnnotationKeys.OUR_UPGRADE_TO) != null) {
                                wishes.add(watchedKind.plural() + " " + name + " "
                                        + object.annotation(WatcherAnnotationKeys.OUR_UPGRADE_TO));
                            }
                        });
                if (problem != null) {
                    problems.add(watchedKind.plural() + ": " + problem);
                }
            }
        }
        return new CleanupPlan(found, guarded, unreported, wishes, problems);
    }

    /** Removes it. Returns what could not be removed. */
    public List<String> runCleanup(CleanupPlan cleanupPlan) {
        List<String> problems = new ArrayList<>();
        for (RemovableAnnotations each : cleanupPlan.removable()) {
            JsonObjectReader.Builder annotations = new JsonObjectReader.Builder();
            each.keys().forEach(key -> annotations.put(key, new JsonValue.JsonNull(JsonValue.NO_LINE)));
            JsonObjectReader metadata = new JsonObjectReader.Builder()
                    .put("annotations", annotations.build())
                    .build();
            KubeResponse reply = api.mergePatch(
                    each.path() + "?fieldManager=" + WatcherAnnotationKeys.MANAGER,
                    new JsonObjectReader.Builder().put("metadata", metadata).build());
            if (!(reply instanceof KubeResponse.SuccessResponse) && !reply.isMissing()) {
                problems.add(each.path() + ": " + reply.problem());
            }
        }
        return problems;
    }

    private static Set<String> keys(KubeObject object) {
        Set<String> keys = new TreeSet<>();
        for (String key : OURS) {
            if (object.annotation(key) != null) {
                keys.add(key);
            }
        }
        boolean begun = "in-progress".equals(object.annotation(WatcherAnnotationKeys.STATUS));
        if (isChangeOurs(object)) {
            keys.add(WatcherAnnotationKeys.CHANGE_ID);
        }
        if (begun && (isChangeOurs(object) || object.annotation(WatcherAnnotationKeys.OUR_UPGRADE_TO) != null)) {
            keys.add(WatcherAnnotationKeys.STATUS);
        }
        KubeObject mark = KubeObject.parse(object.annotation(WatcherAnnotationKeys.ATTEMPT));
        if (mark != null) {
            mark.texts("set").stream().filter(GUARDS::contains).forEach(keys::add);
        }
        return keys;
    }

    private static boolean isChangeOurs(KubeObject object) {
        String changeId = object.annotation(WatcherAnnotationKeys.CHANGE_ID);
        ReportedChangeAnnotation reportedChangeAnnotation =
                ReportedChangeAnnotation.read(object.annotation(WatcherAnnotationKeys.REPORTED));
        return changeId != null
                && reportedChangeAnnotation != null
                && reportedChangeAnnotation.changeId().equals(changeId);
    }

    @Override
    public void close() {
        api.close();
    }
}
