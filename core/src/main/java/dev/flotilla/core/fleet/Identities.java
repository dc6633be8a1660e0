package dev.flotilla.core.fleet;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds machines that show the same node, by a hash of its provider id or system UUID. Sixty-four bits of hash stand for
 * the text: should two nodes ever share one, their machines wait for a person, and nothing worse.
 */
final class Identities extends RowTable {
    private final LongColumn digests = new LongColumn();

    /** Machines that have a twin. There are hardly ever any, and then nothing is searched. */
    private int twins;

    @Override
    int hashOf(int row) {
        return (int) (digests.get(row) >>> 32);
    }

    /** Records what a machine shows of its node; null for nothing. */
    void set(int row, @Nullable String identity) {
        digests.set(row, identity == null || identity.isEmpty() ? 0 : Digest.of(identity) | 1);
        if (digests.get(row) != 0) {
            count(row, 1);
            insert(row);
        }
    }

    void clear(int row) {
        if (digests.get(row) != 0) {
            remove(row);
            count(row, -1);
            digests.set(row, 0);
        }
    }

    boolean is(int row, @Nullable String identity) {
        return digests.get(row) == (identity == null || identity.isEmpty() ? 0 : Digest.of(identity) | 1);
    }

    long digest(int row) {
        return digests.get(row);
    }

    /** Counts a machine that comes or has gone, and the one other that has or had no twin but it. */
    private void count(int row, int sign) {
        int others = search(row).size();
        twins += others == 0 ? 0 : others == 1 ? 2 * sign : sign;
    }

    /** The other machines that show the same node. */
    List<Integer> twins(int row) {
        return twins == 0 ? List.of() : search(row);
    }

    private List<Integer> search(int row) {
        long digest = digests.get(row);
        if (digest == 0) {
            return List.of();
        }
        List<Integer> found = List.of();
        int hash = hashOf(row);
        for (int slot = start(hash); !isFree(slot); slot = next(slot)) {
            int other = row(slot);
            if (other != row && mayBe(slot, hash) && digests.get(other) == digest) {
                found = found.isEmpty() ? new ArrayList<>() : found;
                found.add(other);
            }
        }
        return found;
    }
}
