package dev.flotilla.schemas.row;

/**
 * A machine as its inventory row showed it when an attempt was admitted. Until the attempt ends, it counts for this cluster and
 * role, even if the inventory row changes.
 *
 * @param cluster the cluster's name, in the machine's own namespace
 */
public record AttemptMachineSnapshot(String cluster, MachineRole role) {}
