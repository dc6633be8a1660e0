package dev.flotilla.nodeupgrader.reconcile;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeupgrader.cluster.WorkloadClusters;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeReader;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeReader.NodeUpgradeReadResult;
import dev.flotilla.nodeupgrader.contract.UpgradePlace;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Deletes NodeUpgrades that have ended, and the Jobs that aborts have left suspended. Long after its deadline nobody reads the end of an
 * attempt any more, and no other attempt has its name.
 */
public final class EndedUpgradeRemover {
    private final KubeApiClient management;
    private final WorkloadClusters workloadClusters;
    private final Duration keptAfterDeadline;
    private final InstantSource clock;
    private final UpgraderListener listener;

    public EndedUpgradeRemover(
            KubeApiClient management,
            WorkloadClusters workloadClusters,
            Duration keptAfterDeadline,
            InstantSource clock,
            UpgraderListener listener) {
        this.management = management;
        this.workloadClusters = workloadClusters;
        this.keptAfterDeadline = keptAfterDeadline;
        this.clock = clock;
        this.listener = listener;
    }

    /** Whether a NodeUpgrade has ended, nothing holds it, and it is old enough. */
    boolean isDue(KubeObject nodeUpgrade) {
        return NodeUpgradePhase.of(nodeUpgrade.text("status", "phase")).isFinal()
                && !NodeUpgrade.isHeld(nodeUpgrade)
                && !nodeUpgrade.isDeleting()
                && isPast(nodeUpgrade, keptAfterDeadline);
    }

    private boolean isPast(KubeObject nodeUpgrade, Duration after) {
        Instant deadline = nodeUpgrade.instant("spec", "deadline");
        Instant since = deadline == null ? nodeUpgrade.instant("metadata", "creationTimestamp") : deadline;
        // A node that was away may have told its result long after the deadline.
        Instant heartbeat = nodeUpgrade.instant("status", "lastHeartbeat");
        Instant last = since == null || (heartbeat != null && heartbeat.isAfter(since)) ? heartbeat : since;
        return last != null && !clock.instant().isBefore(last.plus(after));
    }

    /** Deletes a NodeUpgrade that is due. What fails is tried again after the next list. */
    void remove(KubeObject nodeUpgrade) {
        String key = nodeUpgrade.namespace() + "/" + nodeUpgrade.name();
        String problem = deleteJob(nodeUpgrade);
        if (problem != null) {
            listener.requestFailed(key, "its Job cannot be deleted: " + problem);
            // A Job that cannot be deleted for that long does not hold its NodeUpgrade any longer.
            if (!isPast(nodeUpgrade, keptAfterDeadline.multipliedBy(2))) {
                return;
            }
        }
        KubeResponse deleted = management.deleteObject(
                StatusWriter.path(nodeUpgrade.namespace(), nodeUpgrade.name()), nodeUpgrade.uid());
        if (deleted instanceof KubeResponse.SuccessResponse) {
            listener.upgradeDeleted(key);
        } else if (!deleted.isMissing() && !deleted.isConflict()) {
            listener.requestFailed(key, "it cannot be deleted: " + deleted.problem());
        }
    }

    /** The API server of the workload cluster deletes Jobs that have ended; a suspended one has not. */
    private @Nullable String deleteJob(KubeObject object) {
        if (!(NodeUpgradeReader.read(object) instanceof NodeUpgradeReadResult.ValidNodeUpgrade valid)) {
            return null;
        }
        NodeUpgrade nodeUpgrade = valid.nodeUpgrade();
        UpgradePlace place = nodeUpgrade.place();
        return place == null ? null : workloadClusters.deleteJob(nodeUpgrade, place.jobNamespace());
    }
}
