package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.row.UpgradeTaskRef;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An UpgradeTask as the watcher keeps it.
 *
 * @param status what the object shows; written by this watcher, or by the one before it
 */
public record UpgradeTaskView(
        NamespacedName key,
        String uid,
        long version,
        long generation,
        Instant createdAt,
        boolean deleting,
        List<String> finalizers,
        UpgradeTaskSpec spec,
        UpgradeTaskStatus status)
        implements WatchedView {
    /** Holds a deleted task until nothing of it runs and no Machine belongs to it. */
    public static final String FINALIZER = "flotilla.dev/upgrade-task";

    public UpgradeTaskView {
        finalizers = List.copyOf(finalizers);
    }

    public boolean hasFinalizer() {
        return finalizers.contains(FINALIZER);
    }

    /** Whether it has ended: its final phase is on the object, so it requests nothing any more. */
    public boolean isFinished() {
        UpgradeTaskStatus.TaskPhase phase = status.phase();
        return phase != null && phase.isFinal();
    }

    /** Whether it is to end before its machines are done. */
    public boolean isAborting() {
        return deleting || spec.abort();
    }

    /** Whether it requests upgrades. */
    public boolean isActive() {
        return !isFinished() && !isAborting() && spec.problem() == null;
    }

    /** Returns what it requests of a machine that belongs to it; null for nothing. */
    public @Nullable UpgradeTaskRequest requestFor(MachineView machine) {
        return isActive() && spec.target() != null && spec.selects(machine)
                ? new UpgradeTaskRequest(
                        new UpgradeTaskRef(null, key.name(), uid),
                        spec.target(),
                        spec.machineSpecHash() == null ? null : spec.version(),
                        spec.upgrader())
                : null;
    }

    /** Returns the same view at another version. */
    UpgradeTaskView withVersion(long other) {
        return new UpgradeTaskView(key, uid, other, generation, createdAt, deleting, finalizers, spec, status);
    }
}
