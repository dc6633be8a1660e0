package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.BenchmarkFleet;
import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.RowSender;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.kafka.ComponentAcls;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;

/** P24: inputs arrive ten times faster than the broker accepts the resulting records. */
final class OverloadBenchmark implements Benchmark {
    private static final int SITES = 5;
    private static final int MACHINES = 5_000;
    private static final int RATE = 1_000;
    private static final int TIMES = 10;

    /** Quota that allows the rate, but not ten times the rate; a change writes about 150 bytes. */
    private static final double QUOTA = 600_000;

    private static final long BURST_NANOS = Duration.ofMillis(10).toNanos();
    private static final int BURSTS_PER_SECOND = 100;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(200);

    private final BenchmarkSizes sizes;
    private final BenchmarkFleet fleet = BenchmarkFleet.createFleet(SITES, MACHINES, 5);
    private long written;
    private long journaled;

    OverloadBenchmark(BenchmarkSizes sizes) {
        this.sizes = sizes;
    }

    @Override
    public List<String> ids() {
        return List.of("P24a", "P24b");
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException, IOException {
        List<MachineRow> machines = new ArrayList<>();
        fleet.forEachInventoryRow((tablePartition, rowChange) -> {
            if (rowChange instanceof MachineRow machine) {
                machines.add(machine);
            }
        });
        try (KafkaTestBed kafkaTestBed = KafkaTestBed.start()) {
            kafkaTestBed.createTables(fleet.sites());
            try (RowSender sender = RowSender.open(kafkaTestBed.bootstrap());
                    SiteHeartbeatSender siteHeartbeatSender = new SiteHeartbeatSender(kafkaTestBed.bootstrap(), fleet);
                    TableReader journal =
                            new TableReader(kafkaTestBed.bootstrap(), List.of(TablePartition.of(Table.JOURNAL)))) {
                siteHeartbeatSender.start();
                BenchmarkFleet.sendPolicy(sender, 1);
                fleet.sendInventory(sender);
                written = machines.size();
                sender.flush();
                ChildProcess loop = kafkaTestBed.launch(
                        "overloaded",
                        List.of("-Xmx1g", "-XX:+UseSerialGC"),
                        OverloadedLoopMain.class.getName(),
                        kafkaTestBed.bootstrap());
                loop.awaitLine(OverloadedLoopMain.READY);
                readJournalToEnd(journal);
                throttle(kafkaTestBed);
                double once = runAtRate(sender, journal, loop, machines, RATE);
                double often = runAtRate(sender, journal, loop, machines, RATE * TIMES);
                add(measurements, once, often);
            }
        }
    }

    /** Changes machines at this rate and waits until all changes are decided on. Returns the highest heap use. */
    private double runAtRate(
            RowSender sender, TableReader journal, ChildProcess loop, List<MachineRow> machines, int rate)
            throws InterruptedException, IOException {
        loop.sendLine("forget");
        loop.awaitLine(OverloadedLoopMain.PEAK);
        long bursts = sizes.flood().toMillis() * BURSTS_PER_SECOND / 1000;
        long began = System.nanoTime();
        for (long burst = 0; burst < bursts; burst++) {
            for (int i = 0; i < rate / BURSTS_PER_SECOND; i++) {
                MachineRow machine = machines.get((int) (written % machines.size()));
                sender.send(TablePartition.of(Table.INVENTORY, machine.key().site()), withVersion(machine, written));
                written++;
            }
            LockSupport.parkNanos(began + (burst + 1) * BURST_NANOS - System.nanoTime());
        }
        sender.flush();
        readJournalToEnd(journal);
        loop.sendLine("say");
        return Double.parseDouble(loop.awaitLine(OverloadedLoopMain.PEAK).substring(OverloadedLoopMain.PEAK.length()));
    }

    private static MachineRow withVersion(MachineRow m, long number) {
        return new MachineRow(
                m.key(),
                m.uid(),
                m.cluster(),
                m.owner(),
                m.role(),
                m.labels(),
                m.node(),
                m.providerId(),
                m.systemUuid(),
                m.ready(),
                m.deleting(),
                m.paused(),
                m.hold(),
                m.optOut(),
                m.release(),
                "v1.35." + number,
                m.revision(),
                m.architecture(),
                m.foreignActivities());
    }

    /** Reads the journal until it has every written row, or no more records arrive. */
    private void readJournalToEnd(TableReader journal) {
        long until = System.nanoTime() + TIMEOUT.toNanos();
        while (journaled < written && System.nanoTime() < until) {
            for (TableRecord tableRecord : journal.poll(POLL)) {
                if (tableRecord.rowChange() instanceof JournalRecord record
                        && !record.event().equals(DecisionEvent.CHECKPOINT_PART_WRITTEN.label())) {
                    journaled += record.changes().stream()
                            .filter(OverloadBenchmark::isMachine)
                            .count();
                }
            }
        }
    }

    private static boolean isMachine(RowChange rowChange) {
        return rowChange instanceof MachineRow;
    }

    private static void throttle(KafkaTestBed kafkaTestBed) throws InterruptedException {
        ClientQuotaEntity writer = new ClientQuotaEntity(
                new LinkedHashMap<>(Map.of(ClientQuotaEntity.CLIENT_ID, ComponentAcls.ORCHESTRATOR_TRANSACTIONS)));
        try (Admin admin = kafkaTestBed.admin()) {
            kafkaTestBed.await(
                    "throttling the orchestrator",
                    admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                                    writer, List.of(new ClientQuotaAlteration.Op("producer_byte_rate", QUOTA)))))
                            .all());
        }
    }

    private void add(Measurements measurements, double once, double often) {
        String where = String.format(
                "%,d and %,d changed machines/s for %d s, the broker accepts %,.0f kB/s from the orchestrator",
                RATE, RATE * TIMES, sizes.flood().toSeconds(), QUOTA / 1000);
        measurements.add(new Measurement(
                "P24a",
                "heap high-water at 10 times the input / at 1",
                where + String.format("; %.0f and %.0f MB after full collections", often / 1e6, once / 1e6),
                often / once,
                "ratio",
                BetterDirection.LOWER,
                2.0,
                1.3,
                false,
                null));
        measurements.add(new Measurement(
                "P24b",
                "rows lost at 10 times the input",
                String.format("of %,d; the journal has all others", written),
                written - journaled,
                "rows",
                BetterDirection.LOWER,
                0.0,
                0.0,
                false,
                null));
    }
}
