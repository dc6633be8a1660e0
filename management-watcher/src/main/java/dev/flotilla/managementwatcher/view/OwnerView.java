package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.OwnerKey;

/**
 * What is kept of an object that owns machines.
 *
 * @param cluster the name of its cluster, in its namespace
 * @param standing whether it stands for its machines: a MachineSet of a MachineDeployment does not
 * @param replicas how many machines it is meant to have
 * @param doing what it does to its machines just now
 */
public record OwnerView(
        OwnerKey key,
        String uid,
        long version,
        String cluster,
        boolean standing,
        int replicas,
        boolean paused,
        boolean hold,
        Doing doing,
        Notes notes)
        implements View {

    /** What an owner does to its machines just now. */
    public record Doing(boolean rolling, boolean scaling, boolean remediating) {}

    @Override
    public OwnerView at(long other) {
        return new OwnerView(key, uid, other, cluster, standing, replicas, paused, hold, doing, notes);
    }
}
