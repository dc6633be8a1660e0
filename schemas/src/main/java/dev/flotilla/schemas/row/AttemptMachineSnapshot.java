package dev.flotilla.schemas.row;

/**
 * A machine as its inventory row showed it when an attempt was admitted. Until it ends the attempt counts in this cluster and as
 * this role, whatever the inventory says since.
 *
 * @param cluster the cluster's name, in the machine's own namespace
 */
public record AttemptMachineSnapshot(String cluster, MachineRole role) {}
