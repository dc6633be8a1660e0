package dev.flotilla.core.fleet.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.column.IntColumn;
import dev.flotilla.core.fleet.column.IntToLongMap;
import dev.flotilla.core.fleet.column.LongColumn;
import dev.flotilla.core.fleet.column.MachinePriorityHeap;
import dev.flotilla.core.fleet.column.ReferenceColumn;
import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.core.fleet.column.UidColumn;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.StartDeferral;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The compact store compared with plain collections. */
class MachineTableModelTest {
    private static final SiteId SITE = new SiteId("north");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theIntMapBehavesLikeAMap(long seed) {
        Random random = new Random(seed);
        IntToLongMap map = new IntToLongMap();
        Map<Integer, Long> plain = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            int key = random.nextInt(500);
            if (random.nextInt(3) == 0) {
                Long removed = plain.remove(key);
                assertThat(map.remove(key)).isEqualTo(removed == null ? IntToLongMap.ABSENT : removed);
            } else {
                long value = random.nextInt(1000);
                map.put(key, value);
                plain.put(key, value);
            }
            assertThat(map.get(key)).isEqualTo(plain.getOrDefault(key, (long) IntToLongMap.ABSENT));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void columnsHoldOnlyTheSetValues(long seed) {
        Random random = new Random(seed);
        IntColumn ints = new IntColumn();
        LongColumn longs = new LongColumn();
        ReferenceColumn<String> texts = new ReferenceColumn<>();
        Map<Integer, Integer> plain = new HashMap<>();
        int[] bounds = {100, 5_000, 20_000};
        for (int i = 0; i < 3_000; i++) {
            int row = random.nextInt(bounds[i / 1_000]);
            int value = 1 + random.nextInt(1_000);
            ints.set(row, value);
            longs.set(row, value);
            texts.set(row, "v" + value);
            plain.put(row, value);
            int looked = random.nextInt(25_000);
            Integer known = plain.get(looked);
            assertThat(ints.get(looked)).isEqualTo(known == null ? 0 : known);
            assertThat(longs.get(looked)).isEqualTo(known == null ? 0 : known);
            assertThat(texts.get(looked)).isEqualTo(known == null ? null : "v" + known);
        }
        plain.forEach((row, value) -> {
            assertThat(ints.get(row)).isEqualTo(value);
            assertThat(longs.get(row)).isEqualTo(value.longValue());
            assertThat(texts.get(row)).isEqualTo("v" + value);
        });
    }

    @ParameterizedTest
    @CsvSource({"0, 64", "63, 64", "64, 128", "2047, 2048", "2048, 4096", "4095, 4096", "4096, 4096", "9000, 4096"})
    void aPageGrowsToItsMaximum(int row, int length) {
        assertThat(IntColumn.pageLength(row)).isEqualTo(length);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void machinesWithoutAClusterAreASet(long seed) {
        Random random = new Random(seed);
        ClusterState nowhere = new ClusterState(0, null, new SiteState(SITE));
        MachineTable table = new MachineTable();
        TreeSet<Integer> plain = new TreeSet<>();
        for (int i = 0; i < 20_000; i++) {
            int machine = random.nextInt(500);
            if (plain.remove(machine)) {
                nowhere.remove(machine);
            } else {
                plain.add(machine);
                nowhere.add(machine, table::compareKeys);
            }
        }
        assertThat(IntStream.range(0, nowhere.size()).mapToObj(nowhere::member))
                .containsExactlyInAnyOrderElementsOf(plain);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theIndexedHeapBehavesLikeASortedSet(long seed) {
        Random random = new Random(seed);
        int[] weight = new int[300];
        MachineTable table = new MachineTable();
        for (int i = 0; i < weight.length; i++) {
            assertThat(table.findOrAdd(new MachineKey(SITE, "default", "m-" + (1000 + i))))
                    .isEqualTo(i);
        }
        MachinePriorityHeap heap = new MachinePriorityHeap(table::compareKeys);
        TreeSet<Integer> plain = new TreeSet<>(
                (a, b) -> weight[a] != weight[b] ? Integer.compare(weight[a], weight[b]) : Integer.compare(a, b));
        for (int i = 0; i < 20_000; i++) {
            int machine = random.nextInt(weight.length);
            plain.remove(machine);
            if (random.nextInt(3) == 0) {
                heap.remove(machine);
            } else {
                weight[machine] = random.nextInt(100);
                heap.put(machine, weight[machine]);
                plain.add(machine);
            }
            assertThat(heap.size()).isEqualTo(plain.size());
            if (!plain.isEmpty()) {
                assertThat(heap.first()).isEqualTo(plain.first());
                assertThat(heap.firstOrder()).isEqualTo(weight[plain.first()]);
            }
        }
    }

    @Test
    void findsMachinesByKeyAfterAnyChanges() {
        MachineTable table = new MachineTable();
        Random random = new Random(7);
        Map<String, Boolean> there = new HashMap<>();
        for (int i = 0; i < 3_000; i++) {
            String name = "m-" + random.nextInt(300);
            MachineKey key = new MachineKey(SITE, "default", name);
            int row = table.find(key);
            assertThat(row >= 0).isEqualTo(there.getOrDefault(name, false));
            if (row >= 0 && random.nextBoolean()) {
                table.clearRow(row);
                table.drop(row);
                there.put(name, false);
            } else {
                row = table.findOrAdd(key);
                table.putRow(
                        row,
                        row(key, UUID.nameUUIDFromBytes(new byte[] {(byte) i}).toString()));
                there.put(name, true);
                assertThat(table.key(row)).isEqualTo(key);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0b8f1c5e-6d3a-4f0e-9a53-1f2e3d4c5b6a",
                "ffffffff-ffff-ffff-ffff-ffffffffffff",
                "00000000-0000-4000-8000-000000000000",
                "00000000-0000-0000-0000-000000000000",
                "0B8F1C5E-6D3A-4F0E-9A53-1F2E3D4C5B6A",
                "not-a-uuid",
                ""
            })
    void restoresAUid(String uid) {
        UidColumn uids = new UidColumn();
        uids.set(3, uid);
        assertThat(uids.get(3)).isEqualTo(uid);
        assertThat(uids.matches(3, uid)).isTrue();
        assertThat(uids.matches(3, uid + "x")).isFalse();
    }

    @ParameterizedTest
    @EnumSource(MachineOutcome.class)
    void restoresACompactStatus(MachineOutcome outcome) {
        MachineTable table = new MachineTable();
        MachineKey key = new MachineKey(SITE, "default", "m");
        String uid = UUID.nameUUIDFromBytes(new byte[] {1}).toString();
        int row = table.findOrAdd(key);
        table.putRow(row, row(key, uid));
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(new CampaignName("up"), 12);
        MachineStatus status = new MachineStatus(
                key, uid, null, null, List.of(new RolloutEntry(rolloutRef, "canary", 2, null, outcome)));
        table.statuses().put(row, status);
        assertThat(table.statuses().whole(row)).isNull();
        assertThat(table.statuses().get(row)).isEqualTo(status);
    }

    @Test
    void aCompactStatusKeepsItsTarget() {
        MachineTable table = new MachineTable();
        MachineKey key = new MachineKey(SITE, "default", "m");
        String uid = UUID.nameUUIDFromBytes(new byte[] {1}).toString();
        int row = table.findOrAdd(key);
        table.putRow(row, row(key, uid));
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(new CampaignName("up"), 12);
        for (UpgradeTarget target :
                List.of(new UpgradeTarget.Revision("7"), new UpgradeTarget.Channel("1.34-classic/stable"))) {
            MachineStatus status = new MachineStatus(
                    key,
                    uid,
                    null,
                    null,
                    List.of(new RolloutEntry(
                            rolloutRef, "w", 0, null, null, null, MachineOutcome.SUCCEEDED, null, target, null)));
            table.statuses().put(row, status);
            assertThat(table.statuses().whole(row)).isNull();
            assertThat(table.statuses().get(row)).isEqualTo(status);
            assertThat(table.statuses().wave(row)).isEqualTo("w");
        }
    }

    @Test
    void otherStatusesAreKeptWhole() {
        MachineTable table = new MachineTable();
        MachineKey key = new MachineKey(SITE, "default", "m");
        String uid = UUID.nameUUIDFromBytes(new byte[] {1}).toString();
        int row = table.findOrAdd(key);
        table.putRow(row, row(key, uid));
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(new CampaignName("up"), 12);
        RolloutEntry waiting = new RolloutEntry(rolloutRef, "canary", 2, Instant.EPOCH, MachineOutcome.OPEN);
        List<MachineStatus> large = List.of(
                new MachineStatus(key, uid, null, null, List.of(waiting)),
                new MachineStatus(key, uid, null, null, List.of(waiting.withOutcome(MachineOutcome.SKIPPED), waiting)),
                new MachineStatus(
                        key,
                        uid,
                        null,
                        null,
                        List.of(waiting.withDeferral(new StartDeferral(2, "on hold"), Instant.EPOCH)
                                .withCancelledAttempt())),
                new MachineStatus(key, "another", null, null, List.of(waiting.withOutcome(MachineOutcome.SKIPPED))),
                new MachineStatus(key, uid, null, null, List.of()));
        for (MachineStatus status : large) {
            table.statuses().put(row, status);
            assertThat(table.statuses().get(row)).isEqualTo(status);
        }
    }

    @Test
    void aStatusBeforeItsMachineBecomesCompactWithIt() {
        MachineTable table = new MachineTable();
        MachineKey key = new MachineKey(SITE, "default", "m");
        String uid = UUID.nameUUIDFromBytes(new byte[] {1}).toString();
        int row = table.findOrAdd(key);
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(new CampaignName("up"), 12);
        MachineStatus status = new MachineStatus(
                key, uid, null, null, List.of(new RolloutEntry(rolloutRef, "w", 0, null, MachineOutcome.SUCCEEDED)));
        table.statuses().put(row, status);
        assertThat(table.statuses().whole(row)).isEqualTo(status);
        table.statuses().freeze(row);
        table.putRow(row, row(key, uid));
        table.statuses().compact(row);
        assertThat(table.statuses().whole(row)).isNull();
        assertThat(table.statuses().get(row)).isEqualTo(status);
    }

    @Test
    void machinesAreOrderedAsTheirKeysAre() {
        MachineTable table = new MachineTable();
        List<MachineKey> keys = new ArrayList<>();
        for (String site : List.of("a", "a-b", "b")) {
            for (String namespace : List.of("n", "n-1")) {
                for (String name : List.of("m", "m-1", "m-10", "m-2", "m.x", "z")) {
                    keys.add(new MachineKey(new SiteId(site), namespace, name));
                }
            }
        }
        for (MachineKey left : keys) {
            for (MachineKey right : keys) {
                assertThat(Integer.signum(table.compareKeys(table.findOrAdd(left), table.findOrAdd(right))))
                        .isEqualTo(Integer.signum(left.compareTo(right)));
            }
        }
    }

    @Test
    void theHashOfATextNeverChanges() {
        assertThat(StableHash.of("flotilla")).isEqualTo(StableHash.of("flot" + "illa"));
        assertThat(Long.toHexString(StableHash.of("flotilla"))).isEqualTo("b56a40f70b54f568");
        assertThat(new StableHash().add("ab").add("c").value())
                .isNotEqualTo(new StableHash().add("a").add("bc").value());
    }

    private static MachineRow row(MachineKey key, String uid) {
        return new MachineRow(
                key,
                uid,
                "c",
                null,
                MachineRole.WORKER,
                Labels.NONE,
                "n",
                "p-" + uid,
                null,
                true,
                false,
                false,
                false,
                false,
                null,
                "v1.32.1",
                "3000",
                "amd64",
                List.of());
    }
}
