package dev.flotilla.nodeworker.hands;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.Role;

/**
 * What hands work for.
 *
 * @param uid of the machine: another one of its name is none of our business
 * @param owner the partition and the worker that act for the attempt, such as {@code 2/worker-a}: what is marked with another
 *     is left alone
 */
public record Errand(MachineKey key, String uid, long attempt, Role role, int maxUnavailable, String owner) {}
