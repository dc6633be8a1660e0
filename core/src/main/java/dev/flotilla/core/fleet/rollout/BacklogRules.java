package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;

/** What the counts of a cluster have to know of a rollout's members. */
interface BacklogRules {
    /** Whether a member was given up on for what others of its cluster may still follow, and follows something else since. */
    boolean leftBehind(ClusterState cluster, MachineView member);

    /** Whether an earlier attempt failed: if its report was lost, its call may have done what the last attempt found done. */
    boolean hasFailedAttempts(MachineView member);

    /** Whether a success of one member proves the version of the target for all members. */
    boolean provesTargetVersion();
}
