package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.OwnerKey;

/**
 * What is kept of an object that owns machines.
 *
 * @param cluster the name of its cluster, in its namespace
 * @param topLevel whether it stands for its machines: a MachineSet of a MachineDeployment does not
 * @param replicas how many machines it is meant to have
 * @param activity what it does to its machines just now
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
        ObjectAnnotations notes)
        implements ObjectView {

    /** What an owner does to its machines just now. */
    public record OwnerActivity(boolean rolling, boolean scaling, boolean remediating) {}

    @Override
    public OwnerView withVersion(long other) {
        return new OwnerView(key, uid, other, cluster, topLevel, replicas, paused, hold, activity, notes);
    }
}
