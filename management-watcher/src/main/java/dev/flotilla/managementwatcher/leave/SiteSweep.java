package dev.flotilla.managementwatcher.leave;

import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.managementwatcher.view.Reported;
import dev.flotilla.managementwatcher.view.Wording;
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
public final class SiteSweep implements AutoCloseable {
    private static final int MOST_OBJECTS = 200_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int AT_ONCE = 8;
    private static final List<String> OURS = List.of(
            Wording.OUR_UPGRADE_TO, Wording.FULFILLED, Wording.STANDING_RELEASE, Wording.REPORTED, Wording.ATTEMPT);

    /** What a worker's mark may name as set by it. */
    private static final List<String> GUARDS = List.of(Wording.SKIP_REMEDIATION, Wording.SCALE_DOWN_DISABLED);

    private final KubeApiClient api;
    private final ServedApiVersions versions;

    /** Of the management cluster that a kubeconfig leads to. */
    public static SiteSweep open(Path kubeconfig) throws IOException {
        return new SiteSweep(new KubeApiClient(KubeConnectionConfig.open(kubeconfig, TIMEOUT), AT_ONCE));
    }

    public SiteSweep(KubeApiClient api) {
        this.api = api;
        this.versions = new ServedApiVersions(api);
    }

    /**
     * What is there to be removed.
     *
     * @param found objects, each with the keys to remove
     * @param guarded Machines that bear a worker's mark: it has still to undo what it did
     * @param unreported Machines with a change-id of ours: the watcher has still to write how it ended
     * @param wishes objects with a wish that would be removed unfulfilled
     * @param problems what could not be listed
     */
    public record Leftovers(
            List<Swept> found,
            List<String> guarded,
            List<String> unreported,
            List<String> wishes,
            List<String> problems) {
        public Leftovers {
            found = List.copyOf(found);
            guarded = List.copyOf(guarded);
            unreported = List.copyOf(unreported);
            wishes = List.copyOf(wishes);
            problems = List.copyOf(problems);
        }
    }

    /**
     * An object with what is to be removed from it.
     *
     * @param path in the API
     */
    public record Swept(String path, Set<String> keys) {}

    /** Lists everything. Changes nothing. */
    public Leftovers look() {
        List<Swept> found = new ArrayList<>();
        List<String> guarded = new ArrayList<>();
        List<String> unreported = new ArrayList<>();
        List<String> wishes = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            String version = versions.versionOf(kind.group(), kind.plural());
            if (version == null) {
                problems.add(kind.plural() + ": nobody says in which version they are served");
            } else if (!version.isEmpty()) {
                String served = kind.group() + "/" + version;
                String problem = api.forEachObject(KubeApiPath.listPath(served, kind.plural()), "", MOST_OBJECTS, object -> {
                    Set<String> keys = keys(object);
                    String name = object.namespace() + "/" + object.name();
                    if (!keys.isEmpty()) {
                        found.add(
                                new Swept(KubeApiPath.groupObject(served, object.namespace(), kind.plural(), object.name()), keys));
                    }
                    if (object.annotation(Wording.ATTEMPT) != null) {
                        guarded.add(name);
                    }
                    if (isChangeOurs(object)) {
                        unreported.add(name);
                    }
                    if (object.annotation(Wording.OUR_UPGRADE_TO) != null) {
                        wishes.add(kind.plural() + " " + name + " " + object.annotation(Wording.OUR_UPGRADE_TO));
                    }
                });
                if (problem != null) {
                    problems.add(kind.plural() + ": " + problem);
                }
            }
        }
        return new Leftovers(found, guarded, unreported, wishes, problems);
    }

    /** Removes it. Returns what could not be removed. */
    public List<String> sweep(Leftovers leftovers) {
        List<String> problems = new ArrayList<>();
        for (Swept each : leftovers.found()) {
            JsonObjectReader.Builder annotations = new JsonObjectReader.Builder();
            each.keys().forEach(key -> annotations.put(key, new JsonValue.JsonNull(JsonValue.NO_LINE)));
            JsonObjectReader metadata =
                    new JsonObjectReader.Builder().put("annotations", annotations.build()).build();
            KubeResponse reply = api.mergePatch(
                    each.path() + "?fieldManager=" + Wording.MANAGER,
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
        boolean begun = "in-progress".equals(object.annotation(Wording.STATUS));
        if (isChangeOurs(object)) {
            keys.add(Wording.CHANGE_ID);
        }
        if (begun && (isChangeOurs(object) || object.annotation(Wording.OUR_UPGRADE_TO) != null)) {
            keys.add(Wording.STATUS);
        }
        KubeObject mark = KubeObject.parse(object.annotation(Wording.ATTEMPT));
        if (mark != null) {
            mark.texts("set").stream().filter(GUARDS::contains).forEach(keys::add);
        }
        return keys;
    }

    private static boolean isChangeOurs(KubeObject object) {
        String changeId = object.annotation(Wording.CHANGE_ID);
        Reported reported = Reported.read(object.annotation(Wording.REPORTED));
        return changeId != null && reported != null && reported.changeId().equals(changeId);
    }

    @Override
    public void close() {
        api.close();
    }
}
