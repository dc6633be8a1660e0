package dev.flotilla.core.fleet.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines with the same node are found after any number of changes, as by a plain map. */
class DuplicateNodeIndexTest {
    private static final int MACHINES = 40;
    private static final List<String> NODES = List.of("aws:///a/i-1", "aws:///a/i-2", "aws:///a/i-3", "kwok://node-0");

    private final DuplicateNodeIndex duplicateNodeIndex = new DuplicateNodeIndex();
    private final Map<Integer, String> shown = new TreeMap<>();

    /** An id that more than the maximum of machines show identifies no node, until fewer show it. */
    private List<Integer> duplicates(int machine) {
        List<Integer> all = sharing(shown.get(machine));
        boolean crowd = all.size() > DuplicateNodeIndex.MOST_NAMESAKES;
        all.remove((Integer) machine);
        return crowd ? List.of() : all;
    }

    private List<Integer> sharing(String node) {
        List<Integer> all = new ArrayList<>();
        if (node != null && !node.startsWith("kwok")) {
            shown.forEach((machine, its) -> {
                if (its.equals(node)) {
                    all.add(machine);
                }
            });
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void findsMachinesThatShowTheSameNode(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 200; step++) {
            int machine = random.nextInt(MACHINES);
            List<Integer> before = sharing(shown.get(machine));
            List<Integer> others;
            if (shown.remove(machine) != null) {
                others = duplicateNodeIndex.clear(machine);
                before.remove((Integer) machine);
            } else {
                String node = NODES.get(random.nextInt(NODES.size()));
                before = sharing(node);
                shown.put(machine, node);
                others = duplicateNodeIndex.set(machine, node);
            }
            int most = Math.max(before.size(), sharing(shown.get(machine)).size());
            if (most < DuplicateNodeIndex.MOST_NAMESAKES) {
                assertThat(others)
                        .as("machines with changed duplicates at step %s", step)
                        .containsExactlyInAnyOrderElementsOf(before);
            } else if (most > DuplicateNodeIndex.MOST_NAMESAKES + 1) {
                assertThat(others).isEmpty();
            }
            for (int each = 0; each < MACHINES; each++) {
                assertThat(duplicateNodeIndex.duplicatesOf(each))
                        .as("duplicates of %s at step %s", each, step)
                        .containsExactlyInAnyOrderElementsOf(duplicates(each));
                assertThat(duplicateNodeIndex.showsNode(each, shown.get(each))).isTrue();
            }
        }
    }

    @Test
    void crossingTheMaximumChangesTheDuplicatesOfAllItsMachines() {
        List<Integer> crowd = new ArrayList<>();
        for (int machine = 0; machine < DuplicateNodeIndex.MOST_NAMESAKES; machine++) {
            duplicateNodeIndex.set(machine, NODES.get(0));
            crowd.add(machine);
        }
        assertThat(duplicateNodeIndex.set(8, NODES.get(0))).containsExactlyInAnyOrderElementsOf(crowd);
        assertThat(duplicateNodeIndex.set(9, NODES.get(0))).isEmpty();
        assertThat(duplicateNodeIndex.clear(9)).isEmpty();
        assertThat(duplicateNodeIndex.clear(8)).containsExactlyInAnyOrderElementsOf(crowd);
        assertThat(duplicateNodeIndex.duplicatesOf(0)).hasSize(7);
    }

    @Test
    void placeholderIdsAreKeptAndMakeNoDuplicates() {
        for (String identity : new String[] {null, "", "kwok://node-0"}) {
            assertThat(duplicateNodeIndex.set(0, identity)).isEmpty();
            assertThat(duplicateNodeIndex.set(1, identity)).isEmpty();
            assertThat(duplicateNodeIndex.duplicatesOf(0)).isEmpty();
            assertThat(duplicateNodeIndex.showsNode(0, identity)).isTrue();
            assertThat(duplicateNodeIndex.clear(1)).isEmpty();
        }
        assertThat(duplicateNodeIndex.digest(0)).isNotZero();
        assertThat(duplicateNodeIndex.showsNode(0, null)).isFalse();
        assertThat(duplicateNodeIndex.showsNode(0, "kwok://node-1")).isFalse();
    }

    @Test
    void placeholderIdsIdentifyNoNode() {
        assertThat(DuplicateNodeIndex.identifiesNode("aws:///a/i-1")).isTrue();
        assertThat(DuplicateNodeIndex.identifiesNode(null)).isFalse();
        assertThat(DuplicateNodeIndex.identifiesNode("")).isFalse();
    }
}
