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
 * Finds machines that show the same node, by a hash of its provider id or system UUID. Sixty-two bits of hash stand for the text:
 * should two nodes ever share one, one of their machines waits for the other, and nothing worse. What {@link PlaceholderNodeIds} knows to
 * say nothing of a node is kept out, and what more than a few machines show is no identity either: to search it would cost each
 * of them as much as there are.
 */
public final class DuplicateNodeIndex extends RowHashIndex {
    /** What more machines show than these and one is no identity. */
    static final int MOST_NAMESAKES = 8;

    private static final long KIND = 3;
    private static final long IDENTITY = 1;
    private static final long NO_IDENTITY = 2;

    private final LongColumn digests = new LongColumn();

    /** How many machines show each of what too many show. They are in no slot. */
    private final Map<Long, Integer> crowds = new LinkedHashMap<>();

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

    /** Records what a machine shows of its node; null for nothing. Returns those whose twins are others now. */
    List<Integer> set(int row, @Nullable String identity) {
        rows = Math.max(rows, row + 1);
        digests.set(row, digest(identity));
        if (!isIdentity(row)) {
            return List.of();
        }
        Integer crowd = crowds.get(digests.get(row));
        if (crowd != null) {
            crowds.put(digests.get(row), crowd + 1);
            return List.of();
        }
        List<Integer> others = search(row);
        if (others.size() >= MOST_NAMESAKES) {
            others.forEach(this::remove);
            crowds.put(digests.get(row), others.size() + 1);
            return others;
        }
        insert(row);
        return others;
    }

    /** Forgets what a machine shows. Returns those whose twins are others now. */
    List<Integer> clear(int row) {
        long digest = digests.get(row);
        boolean is = isIdentity(row);
        Integer crowd = is ? crowds.get(digest) : null;
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
            crowds.put(digest, crowd - 1);
            return List.of();
        }
        return disperse(digest);
    }

    /** No longer too many show it. */
    private List<Integer> disperse(long digest) {
        crowds.remove(digest);
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

    /** Whether what a machine shows tells its node from others. */
    boolean identifiesNode(int row) {
        return isIdentity(row);
    }

    /** Whether this would. */
    static boolean identifiesNode(@Nullable String identity) {
        return (digest(identity) & KIND) == IDENTITY;
    }

    boolean showsNode(int row, @Nullable String identity) {
        return digests.get(row) == digest(identity);
    }

    long digest(int row) {
        return digests.get(row);
    }

    /** The other machines that show the same node. */
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
