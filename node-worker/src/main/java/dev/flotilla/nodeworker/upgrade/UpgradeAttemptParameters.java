package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.SiteMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of an attempt that a worker needs.
 *
 * @param uid uid of the Machine: another machine of its name is not upgraded
 * @param owner the partition and the worker that run the attempt, such as {@code 2/worker-a}: annotations of another
 *     owner are left alone
 * @param maxBackupAge how old the cluster's last backup may be at the call; null if none is required
 * @param drain whether the node is drained before; null for the site's setting
 * @param mode who acts on the provider's annotations in the site; null if unknown
 * @param nodeUpgrade for a machine that a NodeUpgrade upgrades; null with k8sd
 */
public record UpgradeAttemptParameters(
        MachineKey key,
        String uid,
        long attemptId,
        MachineRole role,
        int maxUnavailable,
        String owner,
        @Nullable Duration maxBackupAge,
        @Nullable DrainMode drain,
        @Nullable SiteMode mode,
        @Nullable NodeUpgradeParameters nodeUpgrade) {

    /** Creates parameters of a machine with k8sd, without a required backup. */
    public UpgradeAttemptParameters(
            MachineKey key, String uid, long attempt, MachineRole role, int maxUnavailable, String owner) {
        this(key, uid, attempt, role, maxUnavailable, owner, null, null, null, null);
    }

    /** Returns a copy for a machine that a NodeUpgrade upgrades. */
    public UpgradeAttemptParameters withNodeUpgrade(NodeUpgradeParameters parameters) {
        return new UpgradeAttemptParameters(
                key, uid, attemptId, role, maxUnavailable, owner, maxBackupAge, drain, mode, parameters);
    }
}
