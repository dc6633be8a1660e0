package dev.flotilla.testkit.canonical;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The annotations through which the controllers communicate, and how they write them: only what differs from what they
 * have read.
 */
final class ProviderAnnotations {
    private static final String PREFIX = "v1beta2.k8sd.io/in-place-upgrade-";
    static final String TO = PREFIX + "to";
    static final String STATUS = PREFIX + "status";
    static final String RELEASE = PREFIX + "release";
    static final String CHANGE_ID = PREFIX + "change-id";
    static final String LAST_FAILED = PREFIX + "last-failed-attempt-at";
    static final String IN_PROGRESS = "in-progress";
    static final String DONE = "done";
    static final String FAILED = "failed";

    private final KubeApiClient api;

    ProviderAnnotations(KubeApiClient api) {
        this.api = api;
    }

    /**
     * The release that an owner is to be upgraded to; an existing release annotation counts as a request too. Null if
     * there is none.
     */
    static @Nullable String requestedRelease(KubeObject object) {
        String to = object.annotation(TO);
        return to == null ? object.annotation(RELEASE) : to;
    }

    static boolean isUpgraded(KubeObject machine, String release) {
        return release.equals(machine.annotation(RELEASE));
    }

    static boolean isFailed(KubeObject machine) {
        return isSet(machine, LAST_FAILED);
    }

    static boolean isUpgrading(KubeObject machine) {
        return IN_PROGRESS.equals(machine.annotation(STATUS)) || isSet(machine, TO);
    }

    private static boolean isSet(KubeObject machine, String key) {
        String value = machine.annotation(key);
        return value != null && !value.isEmpty();
    }

    void markToUpgrade(KubeObject machine, String to) {
        write(
                ControllerResource.MACHINES,
                machine,
                changes(RELEASE, null, STATUS, null, CHANGE_ID, null, LAST_FAILED, null, TO, to));
    }

    void markInProgress(ControllerResource controllerResource, KubeObject owner, String to) {
        write(controllerResource, owner, changes(RELEASE, null, STATUS, IN_PROGRESS, TO, to));
    }

    void markFailed(ControllerResource controllerResource, KubeObject owner) {
        write(controllerResource, owner, changes(RELEASE, null, STATUS, FAILED));
    }

    void markDone(ControllerResource controllerResource, KubeObject owner, String to) {
        write(controllerResource, owner, changes(TO, null, STATUS, DONE, RELEASE, to));
    }

    static Map<String, @Nullable String> changes(@Nullable String... pairs) {
        Map<String, @Nullable String> changes = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            changes.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return changes;
    }

    /** Writes annotations without a lock: changes since the object was read are overwritten. */
    void write(ControllerResource controllerResource, KubeObject read, Map<String, @Nullable String> changes) {
        JsonObjectReader.Builder annotations = new JsonObjectReader.Builder();
        boolean differs = false;
        for (Map.Entry<String, @Nullable String> change : changes.entrySet()) {
            String there = read.annotation(change.getKey());
            String value = change.getValue();
            if (value == null && there != null) {
                annotations.put(change.getKey(), new JsonValue.JsonNull(JsonValue.NO_LINE));
                differs = true;
            } else if (value != null && !value.equals(there)) {
                annotations.put(change.getKey(), value);
                differs = true;
            }
        }
        if (differs) {
            JsonObjectReader metadata = new JsonObjectReader.Builder()
                    .put("annotations", annotations.build())
                    .build();
            var unused = api.mergePatch(
                    controllerResource.objectPath(read),
                    new JsonObjectReader.Builder().put("metadata", metadata).build());
        }
    }
}
