package dev.flotilla.nodeworker.node;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.SiteMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What hands work for.
 *
 * @param uid of the machine: another one of its name is none of our business
 * @param owner the partition and the worker that act for the attempt, such as {@code 2/worker-a}: what is marked with another
 *     is left alone
 * @param maxBackupAge how old the cluster's last backup may be at the call; null where none is asked for
 * @param drain whether the node is emptied before; null for as the site says
 * @param mode who acts on the provider's keys in the site; null where nobody says
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
        @Nullable SiteMode mode) {

    /** One for which no backup is asked. */
    public UpgradeAttemptParameters(
            MachineKey key, String uid, long attempt, MachineRole role, int maxUnavailable, String owner) {
        this(key, uid, attempt, role, maxUnavailable, owner, null, null, null);
    }
}
