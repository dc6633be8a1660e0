package dev.flotilla.core.fleet.inventory;

import dev.flotilla.core.fleet.column.LongColumn;
import dev.flotilla.core.fleet.column.RowHashIndex;
import dev.flotilla.core.fleet.column.StableHash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds machines with the same node, by a hash of provider id or system UUID. If two nodes ever had the same 62-bit
 * hash, one machine would wait for the other, and nothing worse. Ids that {@link PlaceholderNodeIds} knows to be no
 * identity are left out, and so are ids that more than a few machines show, because searching them would be expensive.
 */
final class DuplicateNodeIndex extends RowHashIndex {
    /** An id that more machines than this and one show is no identity. */
    static final int MOST_NAMESAKES = 8;

    private static final long KIND = 3;
    private static final long IDENTITY = 1;
    private static final long NO_IDENTITY = 2;

    private final LongColumn digests = new LongColumn();

    /** Number of machines for each id that too many show; they are in no slot. */
    private final Map<Long, Integer> overcrowdedIds = new LinkedHashMap<>();

    private int rows;

    @Override
    public int hashOf(int row) {
        return (int) (digests.get(row) >>> 32);
    }

    private static long digest(@Nullable String identity) {
        return identity == null || identity.isEmpty()
                ? 0
                : (StableHash.of(identity) & ~KIND)
                        | (PlaceholderNodeIds.isPlaceholder(identity) ? NO_IDENTITY : IDENTITY);
    }

    /** Records the id of a machine's node; null for none. Returns the machines whose duplicates have changed. */
    List<Integer> set(int row, @Nullable String identity) {
        rows = Math.max(rows, row + 1);
        digests.set(row, digest(identity));
        if (!isIdentity(row)) {
            return List.of();
        }
        Integer crowd = overcrowdedIds.get(digests.get(row));
        if (crowd != null) {
            overcrowdedIds.put(digests.get(row), crowd + 1);
            return List.of();
        }
        List<Integer> others = search(row);
        if (others.size() >= MOST_NAMESAKES) {
            others.forEach(this::remove);
            overcrowdedIds.put(digests.get(row), others.size() + 1);
            return others;
        }
        insert(row);
        return others;
    }

    /** Removes a machine's id. Returns the machines whose duplicates have changed. */
    List<Integer> clear(int row) {
        long digest = digests.get(row);
        boolean is = isIdentity(row);
        Integer crowd = is ? overcrowdedIds.get(digest) : null;
        if (is && crowd == null) {
            remove(row);
        }
        digests.set(row, 0);
        if (!is) {
            return List.of();
        }
        if (crowd == null) {
            return search(digest, row);
        }
        if (crowd > MOST_NAMESAKES + 1) {
            overcrowdedIds.put(digest, crowd - 1);
            return List.of();
        }
        return indexFormerCrowd(digest);
    }

    /** Indexes the machines of an id that is no longer shown by too many. */
    private List<Integer> indexFormerCrowd(long digest) {
        overcrowdedIds.remove(digest);
        List<Integer> members = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            if (digests.get(row) == digest) {
                members.add(row);
                insert(row);
            }
        }
        return members;
    }

    private boolean isIdentity(int row) {
        return (digests.get(row) & KIND) == IDENTITY;
    }

    /** Whether a machine's id identifies its node. */
    boolean identifiesNode(int row) {
        return isIdentity(row);
    }

    /** Whether an id would identify a node. */
    static boolean identifiesNode(@Nullable String identity) {
        return (digest(identity) & KIND) == IDENTITY;
    }

    boolean showsNode(int row, @Nullable String identity) {
        return digests.get(row) == digest(identity);
    }

    long digest(int row) {
        return digests.get(row);
    }

    /** The other machines with the same node. */
    List<Integer> duplicatesOf(int row) {
        return !isIdentity(row) ? List.of() : search(row);
    }

    private List<Integer> search(int row) {
        return search(digests.get(row), row);
    }

    private List<Integer> search(long digest, int row) {
        List<Integer> found = List.of();
        int hash = (int) (digest >>> 32);
        for (int slot = start(hash); !isFree(slot); slot = next(slot)) {
            int other = row(slot);
            if (other != row && mayMatch(slot, hash) && digests.get(other) == digest) {
                found = found.isEmpty() ? new ArrayList<>() : found;
                found.add(other);
            }
        }
        return found;
    }
}
