package dev.flotilla.bench.size;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.check.StateComparisonIntervals;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.leader.CommitCheckContext;
import dev.flotilla.simulator.leader.LeaderLoopConfig;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.operator.RandomPolicies;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.run.SimWorld;
import dev.flotilla.simulator.run.SystemUnderTest;
import dev.flotilla.simulator.run.WorldConfig;
import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the machines of a site and their upgrades take in Kafka. A site is upgraded once in virtual time by the real
 * core, without faults, and every record is encoded by the real codecs and stored in Kafka's own format.
 */
final class UpgradeTraffic {
    static final int CLUSTERS = 8;
    static final int CONTROL_PLANES = 3;
    static final int WORKERS = 27;
    static final int MACHINES = CLUSTERS * (CONTROL_PLANES + WORKERS);
    static final int LABELS = 6;

    private static final int IN_FLIGHT = MACHINES / 10;
    private static final long END = VirtualClockScheduler.BEGIN + 7L * 24 * 3_600_000;
    private static final long FLEET_KNOWN = VirtualClockScheduler.BEGIN + 60_000;
    private static final NodeFaultProfile NODE = NodeFaultProfile.withoutFaults(300_000, 20);
    private static final CampaignName CAMPAIGN = new CampaignName("k8s-1-33");

    /** As the orchestrator's checkpoints: a part has rows of this size, and two parts are in a transaction. */
    private static final int PART_BYTES = 96 * 1024;

    private static final int PART_ROW_OVERHEAD = 160;
    private static final int PARTS_IN_TRANSACTION = 2;

    /** Tables whose rows a checkpoint of the journal repeats. */
    private static final List<Table> CHECKPOINT = List.of(Table.INVENTORY, Table.INTENTS, Table.STATUS, Table.COMMANDS);

    /**
     * A sum of records.
     *
     * @param bytes of keys, values and headers
     * @param disk bytes in one replica, compressed, with batch headers and transaction markers
     */
    record Sum(long records, long bytes, long disk) {
        static final Sum NONE = new Sum(0, 0, 0);

        Sum plus(Sum other) {
            return new Sum(records + other.records, bytes + other.bytes, disk + other.disk);
        }
    }

    private final Map<Table, Sum> written = new EnumMap<>(Table.class);
    private final Map<RowKey, RowChange> rows = new LinkedHashMap<>();
    private Sum heartbeat = Sum.NONE;
    private boolean counting;

    private UpgradeTraffic() {}

    /** Upgrades the site. */
    static UpgradeTraffic measure() {
        UpgradeTraffic traffic = new UpgradeTraffic();
        SimWorld world = new SimWorld(
                new WorldConfig(
                        1,
                        MACHINES,
                        1,
                        2,
                        1,
                        VirtualClockScheduler.BEGIN,
                        END,
                        FaultRateSchedule.FaultRates.NONE,
                        0,
                        0,
                        new LeaderLoopConfig(1000, 500, 500),
                        new StateComparisonIntervals(1_000_000, 1_000_000)),
                SystemUnderTest.REAL,
                false,
                UpgradeTraffic::createSite);
        world.log().onCommit((by, records, note) -> traffic.count(records, note));
        world.start();
        world.operatorTables().write(RandomPolicies.capped(IN_FLIGHT));
        while (world.scheduler().now() < FLEET_KNOWN && world.scheduler().step(FLEET_KNOWN)) {
            assertThat(world.violations().violations()).isEmpty();
        }
        traffic.counting = true;
        world.operatorTables().write(campaign());
        while (!isOver(world) && world.scheduler().step(END)) {
            assertThat(world.violations().violations()).isEmpty();
        }
        assertThat(isOver(world)).as("the campaign is over").isTrue();
        assertThat(world.checker().attempts()).as("attempts").isEqualTo(MACHINES);
        return traffic;
    }

    private static void createSite(SimFleet fleet, SimNodeFactory nodes) {
        SimSite site = fleet.addSite("berlin-east");
        for (int c = 0; c < CLUSTERS; c++) {
            SimCluster cluster = fleet.addCluster(site, "edge-berlin-" + (100 + c), labels(c));
            for (int m = 0; m < CONTROL_PLANES + WORKERS; m++) {
                boolean isWorker = m >= CONTROL_PLANES;
                // As long as the names that Cluster API generates.
                String name = cluster.key().name() + (isWorker ? "-md-0-7xk2p-" : "-control-plane-") + "q4w" + (10 + m);
                fleet.addMachine(
                        site,
                        cluster,
                        name,
                        isWorker ? MachineRole.WORKER : MachineRole.CONTROL_PLANE,
                        labels(m),
                        nodes.node(name, NODE));
            }
        }
    }

    private static Labels labels(int number) {
        TreeMap<String, String> labels = new TreeMap<>();
        for (int label = 0; label < LABELS; label++) {
            labels.put("example.com/label-" + label, "value-" + number * (label + 1));
        }
        return new Labels(labels);
    }

    private static Campaign campaign() {
        return new Campaign(
                CAMPAIGN,
                Labels.NONE,
                new CampaignSpecBuilder(new UpgradeTarget.Channel(SnapReleases.channel(1)), MachineSelection.EVERYTHING)
                        .priority(0)
                        .maxUnavailable(new CountOrPercent.Percent(10))
                        .build());
    }

    private static boolean isOver(SimWorld world) {
        CampaignStatus status = world.operatorTables().status(CAMPAIGN);
        return status != null && status.state().isOver();
    }

    private void count(Map<TablePartition, List<RowChange>> records, @Nullable Object note) {
        boolean isHeartbeat =
                records.values().stream().flatMap(List::stream).allMatch(change -> change instanceof WatcherHeartbeat);
        records.forEach((partition, changes) -> {
            List<WireRecord> encoded = new ArrayList<>();
            for (RowChange change : changes) {
                rows.remove(change.rowKey());
                if (!(change instanceof Tombstone || change instanceof JournalRecord)) {
                    rows.put(change.rowKey(), change);
                }
                encoded.add(StoredRecords.withRealIds(WireRecordCodec.encode(change, seqOf(change, note))));
            }
            Sum sum = StoredRecords.sum(encoded).plus(new Sum(0, 0, StoredRecords.MARKER_BYTES));
            if (isHeartbeat) {
                heartbeat = sum;
            } else if (counting) {
                written.merge(partition.table(), sum, Sum::plus);
            }
        });
    }

    private static @Nullable Long seqOf(RowChange change, @Nullable Object note) {
        if (change instanceof JournalRecord record) {
            return record.seq();
        }
        return note instanceof CommitCheckContext commit ? commit.batch().seq(change.rowKey()) : null;
    }

    /** What the upgrade of all machines has written, by table. */
    Map<Table, Sum> written() {
        return new EnumMap<>(written);
    }

    /** The rows that compaction leaves of a table; their bytes on disk are not measured. */
    Sum live(Table table) {
        Sum sum = Sum.NONE;
        for (RowChange row : rows.values()) {
            if (row.rowKey().table() == table) {
                WireRecord record = StoredRecords.withRealIds(WireRecordCodec.encode(row, 1_000_000L));
                sum = sum.plus(new Sum(1, StoredRecords.bytes(record), 0));
            }
        }
        return sum;
    }

    /** The transaction of one heartbeat of a watcher. */
    Sum heartbeat() {
        return heartbeat;
    }

    /** What a checkpoint of the journal takes. */
    Sum checkpoint() {
        Sum sum = Sum.NONE;
        List<RowChange> part = new ArrayList<>();
        int bytes = 0;
        int parts = 0;
        for (RowChange row : rows.values()) {
            if (CHECKPOINT.contains(row.rowKey().table())) {
                byte[] value =
                        StoredRecords.withRealIds(WireRecordCodec.encode(row)).value();
                int size = (value == null ? 0 : value.length) + PART_ROW_OVERHEAD;
                if (bytes + size > PART_BYTES) {
                    sum = sum.plus(part(part, ++parts));
                    part.clear();
                    bytes = 0;
                }
                part.add(row);
                bytes += size;
            }
        }
        return sum.plus(part(part, ++parts));
    }

    private static Sum part(List<RowChange> rows, int number) {
        JournalRecord record = new JournalRecord(
                1_000_000L + number,
                Instant.ofEpochMilli(VirtualClockScheduler.BEGIN),
                "checkpoint-part-written",
                "fleet",
                rows.size() + " rows",
                rows,
                "0");
        Sum sum = StoredRecords.sum(List.of(StoredRecords.withRealIds(WireRecordCodec.encode(record, record.seq()))));
        return number % PARTS_IN_TRANSACTION == 0 ? sum.plus(new Sum(0, 0, StoredRecords.MARKER_BYTES)) : sum;
    }

    static byte[] utf8(@Nullable String text) {
        return text == null ? new byte[0] : text.getBytes(UTF_8);
    }
}
