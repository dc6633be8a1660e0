package dev.flotilla.core.fleet.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines are found by their hashes after any number of changes and collisions. */
class RowHashIndexTest {
    private static final int ROWS = 400;

    private int hashes = ROWS;
    private final RowHashIndex table = new RowHashIndex() {
        @Override
        public int hashOf(int row) {
            return hash(row);
        }
    };

    private int hash(int row) {
        return row % hashes * 0x01000193;
    }

    private boolean finds(int row) {
        int hash = hash(row);
        for (int slot = table.start(hash); !table.isFree(slot); slot = table.next(slot)) {
            if (table.mayMatch(slot, hash) && table.row(slot) == row) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 17, ROWS})
    void findsExactlyTheEntries(int differentHashes) {
        hashes = differentHashes;
        Random random = new Random(differentHashes);
        TreeSet<Integer> there = new TreeSet<>();
        for (int step = 0; step < 3_000; step++) {
            int row = random.nextInt(ROWS);
            if (there.add(row)) {
                table.insert(row);
            } else {
                there.remove(row);
                table.remove(row);
            }
            assertThat(finds(row)).isEqualTo(there.contains(row));
        }
        for (int row = 0; row < ROWS; row++) {
            assertThat(finds(row)).as("row %s", row).isEqualTo(there.contains(row));
        }
    }

    @Test
    void aLookupComparesFewOtherMachines() {
        for (int row = 0; row < ROWS; row++) {
            table.insert(row);
        }
        int slots = 0;
        int others = 0;
        for (int row = 0; row < ROWS; row++) {
            int hash = hash(row);
            for (int slot = table.start(hash); table.row(slot) != row; slot = table.next(slot)) {
                slots++;
                others += table.mayMatch(slot, hash) ? 1 : 0;
            }
        }
        assertThat(slots).as("slots passed by on the way to %s machines", ROWS).isLessThan(3 * ROWS);
        assertThat(others).as("machines compared on the way").isLessThan(ROWS / 20);
    }

    @Test
    void removingAMissingEntryChangesNothing() {
        table.insert(1);
        table.remove(2);
        assertThat(finds(1)).isTrue();
        assertThat(finds(2)).isFalse();
    }

    @Test
    void rejectsTooManyEqualHashes() {
        table.insert(RowHashIndex.MAX_MACHINES);
        assertThat(finds(RowHashIndex.MAX_MACHINES)).isTrue();
        assertThatThrownBy(() -> table.insert(RowHashIndex.MAX_MACHINES + 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("more than " + RowHashIndex.MAX_MACHINES + " machines");
    }
}
