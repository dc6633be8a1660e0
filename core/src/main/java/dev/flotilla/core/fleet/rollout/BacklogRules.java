package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;

/** What the backlog counts need to know about a rollout's members. */
interface BacklogRules {
    /**
     * Whether a member was quarantined for a target that other machines of its cluster may still follow, and now
     * follows another.
     */
    boolean leftBehind(ClusterState cluster, MachineView member);

    /** Whether an earlier attempt failed: its call may have upgraded the machine although the report was lost. */
    boolean hasFailedAttempts(MachineView member);

    /** Whether a success of one member proves the version of the target for all members. */
    boolean provesTargetVersion();
}
