package dev.flotilla.nodeworker.nodeupgrade;

import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the status of the NodeUpgrade of one attempt, and asks its controller to abort. Methods block. */
public final class NodeUpgradeStatusReader {
    private final KubeApiClient api;
    private final String namespace;
    private final String machineUid;
    private final long attemptId;
    private volatile List<String> lastSeen = List.of();
    private volatile @Nullable String appliedSpec;

    /**
     * Creates a reader.
     *
     * @param namespace of the machine and its NodeUpgrades
     */
    public NodeUpgradeStatusReader(KubeApiClient api, String namespace, String machineUid, long attemptId) {
        this.api = api;
        this.namespace = namespace;
        this.machineUid = machineUid;
        this.attemptId = attemptId;
    }

    /** Reads the status of an object. */
    public ChangeStatus read(NodeUpgradeKind kind, String name, Instant now) {
        return classify(kind, name, now, api.get(kind.path(namespace, name)));
    }

    /** Asks the controller to abort, unless the object has an end or was asked already, and reads the status. */
    public ChangeStatus abort(NodeUpgradeKind kind, String name, Instant now) {
        KubeResponse before = api.get(kind.path(namespace, name));
        return before instanceof KubeResponse.SuccessResponse success
                        && isOfAttempt(success.object())
                        && !hasEnded(success.object())
                        && !NodeUpgradeObject.ABORT.equals(success.object().text("spec", NodeUpgradeObject.PHASE))
                ? classify(kind, name, now, api.mergePatch(kind.path(namespace, name), NodeUpgradeObject.abortPatch()))
                : classify(kind, name, now, before);
    }

    private static boolean hasEnded(KubeObject object) {
        String phase = object.text("status", "phase");
        return "Succeeded".equals(phase) || "Failed".equals(phase) || "Aborted".equals(phase);
    }

    private ChangeStatus classify(NodeUpgradeKind kind, String name, Instant now, KubeResponse response) {
        if (response instanceof KubeResponse.SuccessResponse success) {
            KubeObject object = success.object();
            lastSeen = NodeUpgradeStatusClassifier.describe(object);
            if (!isOfAttempt(object)) {
                return new ChangeStatus.StatusUnavailable(
                        kind.kind() + " " + name + " is of another machine or attempt");
            }
            ChangeStatus status = NodeUpgradeStatusClassifier.classify(object, now);
            appliedSpec =
                    status instanceof ChangeStatus.ChangeDone ? object.text("status", "observedSpec") : appliedSpec;
            return status;
        }
        return response.isMissing()
                ? new ChangeStatus.ChangeForgotten()
                : new ChangeStatus.StatusUnavailable(
                        kind.kind() + " " + name + " cannot be read: " + response.problem());
    }

    private boolean isOfAttempt(KubeObject object) {
        Long id = object.number("spec", "attemptId");
        return id != null && id == attemptId && machineUid.equals(object.text("spec", "machine", "uid"));
    }

    /** Returns the hash of the description that the object says it has applied; null before it has succeeded. */
    public @Nullable String appliedSpec() {
        return appliedSpec;
    }

    /** Returns the object and its steps as last read, for people. */
    public List<String> lastSeen() {
        return lastSeen;
    }
}
