package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.row.UpgradeProvider;
import org.jspecify.annotations.Nullable;

/**
 * An object that owns machines, as the watcher keeps it.
 *
 * @param cluster name of its cluster, in its namespace
 * @param topLevel whether intents may be set on it: a MachineSet of a MachineDeployment is not top-level
 * @param replicas desired number of machines
 * @param activity what it is doing to its machines
 * @param provider what upgrades its machines, by the bootstrap config of its template; null if that does not say
 */
public record OwnerView(
        OwnerKey key,
        String uid,
        long version,
        String cluster,
        boolean topLevel,
        int replicas,
        boolean paused,
        boolean hold,
        OwnerActivity activity,
        @Nullable UpgradeProvider provider,
        ObjectAnnotations annotations)
        implements ObjectView {

    /** What an owner is doing to its machines. */
    public record OwnerActivity(boolean rolling, boolean scalingUp, boolean scalingDown, boolean remediating) {}

    @Override
    public OwnerView withVersion(long other) {
        return new OwnerView(
                key, uid, other, cluster, topLevel, replicas, paused, hold, activity, provider, annotations);
    }
}
