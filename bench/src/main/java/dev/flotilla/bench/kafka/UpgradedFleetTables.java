package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.BenchmarkFleet;
import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.bench.harness.PlainKafkaClients;
import dev.flotilla.bench.harness.RowSender;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Tables of a fleet that was upgraded once, as compaction leaves them: one row for each key. Machines that were
 * upgraded recently still have all records of the upgrade.
 */
final class UpgradedFleetTables {
    private static final int SITES = 10;
    private static final int CLUSTER = 20;

    private final BenchmarkFleet fleet;
    private final ToDoubleFunction<Table> recordsLeft;
    private final int recent;
    private final Campaign campaign = BenchmarkFleet.campaign("done", new UpgradeTarget.Revision("1000"));
    private final RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), 1);
    private long liveRows;

    /**
     * Makes a fleet that is not written yet.
     *
     * @param percentRecent percentage of machines whose upgrade is too recent to be compacted
     * @param recordsLeft number of records of an upgrade, by table
     */
    UpgradedFleetTables(int machines, int percentRecent, ToDoubleFunction<Table> recordsLeft) {
        this.fleet = BenchmarkFleet.createFleet(SITES, machines, CLUSTER);
        this.recordsLeft = recordsLeft;
        this.recent = (int) ((long) machines * percentRecent / 100);
    }

    BenchmarkFleet fleet() {
        return fleet;
    }

    /** Number of keys with a row. */
    long liveRows() {
        return liveRows;
    }

    void write(KafkaTestBed kafkaTestBed) throws InterruptedException {
        kafkaTestBed.createTables(fleet.sites());
        try (RowSender sender = RowSender.open(kafkaTestBed.bootstrap())) {
            writeRow(sender, TablePartition.of(Table.POLICIES), BenchmarkFleet.policy(1_000));
            writeRow(
                    sender,
                    TablePartition.of(Table.CAMPAIGN_STATUS),
                    new LastAcceptedPolicy(BenchmarkFleet.policy(1_000)));
            writeRow(sender, TablePartition.of(Table.CAMPAIGNS), campaign);
            writeRow(sender, TablePartition.of(Table.CAMPAIGN_STATUS), accepted());
            int[] seen = {0};
            fleet.forEachInventoryRow((tablePartition, rowChange) -> {
                if (rowChange instanceof MachineRow machine) {
                    writeMachine(sender, machine, seen[0]++ < recent);
                } else {
                    writeRow(sender, tablePartition, rowChange);
                }
            });
            int heads = (int) Math.round(recent * recordsLeft.applyAsDouble(Table.HEAD));
            for (int i = 0; i < heads; i++) {
                sender.send(TablePartition.of(Table.HEAD), head(i % SITES, List.of()));
            }
            sender.flush();
            writeHeads(kafkaTestBed, sender);
        }
    }

    private CampaignStatus accepted() {
        return new CampaignStatus(
                campaign.name(), 1, campaign, CampaignState.RUNNING, null, Instant.now(), List.of(), 0, List.of());
    }

    private void writeMachine(RowSender sender, MachineRow machine, boolean recent) {
        String wave = campaign.spec().waves().getFirst().name();
        MachineStatus status = new MachineStatus(
                machine.key(),
                machine.uid(),
                null,
                null,
                List.of(new RolloutEntry(
                        rolloutRef,
                        wave,
                        0,
                        null,
                        null,
                        null,
                        MachineOutcome.SUCCEEDED,
                        null,
                        campaign.spec().target().option(),
                        null)));
        TablePartition inventory =
                TablePartition.of(Table.INVENTORY, machine.key().site());
        TablePartition statuses = TablePartition.of(Table.STATUS, machine.key().site());
        if (recent) {
            writeRecords(sender, Table.INVENTORY, inventory, machine);
            writeRecords(sender, Table.STATUS, statuses, status);
            writeReport(sender, machine);
        }
        writeRow(sender, inventory, machine);
        writeRow(sender, statuses, status);
    }

    private void writeReport(RowSender sender, MachineRow machine) {
        MachineKey key = machine.key();
        AttemptProgress progress = new AttemptProgress(
                key,
                machine.uid(),
                1,
                new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "1000", "v1.35.0"),
                Instant.now());
        writeRecords(sender, Table.PROGRESS, TablePartition.of(Table.PROGRESS, key), progress);
        writeRecords(
                sender,
                Table.COMMANDS,
                TablePartition.of(Table.COMMANDS, key),
                new Tombstone(new RowKey(Table.COMMANDS, key)));
        liveRows++;
    }

    private void writeRecords(RowSender sender, Table table, TablePartition tablePartition, RowChange rowChange) {
        for (int i = 0; i < Math.round(recordsLeft.applyAsDouble(table)); i++) {
            sender.send(tablePartition, rowChange);
        }
    }

    private void writeRow(RowSender sender, TablePartition tablePartition, RowChange rowChange) {
        sender.send(tablePartition, rowChange);
        liveRows++;
    }

    /** Writes the head rows, so that everything counts as decided on. */
    private void writeHeads(KafkaTestBed kafkaTestBed, RowSender sender) {
        for (int site = 0; site < SITES; site++) {
            writeRow(
                    sender,
                    TablePartition.of(Table.HEAD),
                    head(
                            site,
                            endOffsets(
                                    kafkaTestBed,
                                    OrchestratorPartitions.inputsOf(
                                            fleet.sites().get(site)))));
        }
        writeRow(
                sender,
                TablePartition.of(Table.HEAD),
                new FleetHead(
                        0,
                        0,
                        Instant.now(),
                        "",
                        FleetHead.FEATURE_LEVEL,
                        true,
                        endOffsets(kafkaTestBed, OrchestratorPartitions.inputsOfFleet()),
                        chapter()));
        sender.flush();
    }

    /** A journal chapter that began now, so that the idle leader does not begin one. */
    private JournalChapter chapter() {
        return new JournalChapter(0, Instant.now(), 0, 0L, liveRows, List.of(), null);
    }

    private SiteHead head(int site, List<PartitionOffset> offsets) {
        return new SiteHead(fleet.sites().get(site), null, null, 0, List.of(), offsets);
    }

    private static List<PartitionOffset> endOffsets(
            KafkaTestBed kafkaTestBed, Collection<TablePartition> tablePartitions) {
        List<PartitionOffset> offsets = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                PlainKafkaClients.consumer(kafkaTestBed.bootstrap(), "bench-ends")) {
            Map<TopicPartition, Long> ends = consumer.endOffsets(
                    tablePartitions.stream().map(UpgradedFleetTables::partition).toList());
            tablePartitions.forEach(tablePartition -> offsets.add(new PartitionOffset(
                    tablePartition.table(),
                    tablePartition.partition(),
                    ends.getOrDefault(partition(tablePartition), 0L))));
        }
        return offsets;
    }

    static TopicPartition partition(TablePartition tablePartition) {
        return new TopicPartition(
                new Topic(tablePartition.table(), tablePartition.site()).name(), tablePartition.partition());
    }
}
