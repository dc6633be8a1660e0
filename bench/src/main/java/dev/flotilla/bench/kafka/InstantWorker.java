package dev.flotilla.bench.kafka;

import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.TransactionalRowWriter;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One worker of all sites, with nodes that answer within a millisecond: it reports the inspection, commits the call
 * permit, calls, and reports success, each in a transaction as a real worker does.
 */
final class InstantWorker implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(1);
    private static final long ANSWER_NANOS = Duration.ofMillis(1).toNanos();
    private static final int MOST_SLOTS = 100_000;
    private static final double MILLI = 1e6;

    private final String bootstrap;
    private final Collection<SiteId> sites;
    private final int slots;
    private final long workNanos;
    private final PriorityQueue<Job> due = new PriorityQueue<>(Comparator.comparingLong(Job::at));
    private final Queue<Long> free = new ArrayBlockingQueue<>(MOST_SLOTS);
    private final Queue<Double> stopAndReadTurnarounds = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::run, "instant worker");
    private volatile boolean closed;
    private int calls;

    InstantWorker(String bootstrap, Collection<SiteId> sites, int slots, Duration work) {
        this.bootstrap = bootstrap;
        this.sites = List.copyOf(sites);
        this.slots = slots;
        this.workNanos = work.toNanos();
        thread.setDaemon(true);
    }

    /** The next report about a machine, and its time. */
    private record Job(WorkerCommand.UpgradeMachine command, Phase phase, long at) {
        Job then(Phase next, long when) {
            return new Job(command, next, when);
        }
    }

    private enum Phase {
        INSPECT,
        CALL,
        DONE
    }

    void start() {
        thread.start();
    }

    /** Number of slots that went from one machine to the next so far. */
    int countTurnarounds() {
        return stopAndReadTurnarounds.size();
    }

    /** Stops, and returns the milliseconds from the commit of a success to the call in its slot, in order. */
    double[] stopAndReadTurnarounds() {
        close();
        return stopAndReadTurnarounds.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private void run() {
        try (TableReader commands = new TableReader(bootstrap, commandPartitions());
                TransactionalRowWriter writer = new TransactionalRowWriter(
                        KafkaClientSettings.forLocalBroker(bootstrap), "flotilla.worker.bench", TIMEOUT)) {
            writer.init();
            while (!closed) {
                for (TableRecord tableRecord : commands.poll(POLL)) {
                    if (tableRecord.rowChange() instanceof WorkerCommand.UpgradeMachine command) {
                        due.add(new Job(command, Phase.INSPECT, System.nanoTime()));
                    }
                }
                writeDueReports(writer);
            }
        }
    }

    private List<TablePartition> commandPartitions() {
        List<TablePartition> tablePartitions = new ArrayList<>();
        for (SiteId site : sites) {
            for (int partition = 0; partition < Table.COMMANDS.partitions(); partition++) {
                tablePartitions.add(new TablePartition(Table.COMMANDS, site, partition));
            }
        }
        return tablePartitions;
    }

    /** Writes all due reports in one transaction and continues the upgrades that they belong to. */
    private void writeDueReports(TransactionalRowWriter writer) {
        List<Job> now = new ArrayList<>();
        Job first = due.peek();
        while (first != null && first.at() <= System.nanoTime()) {
            now.add(due.remove());
            first = due.peek();
        }
        if (now.isEmpty()) {
            return;
        }
        writer.begin();
        now.forEach(job -> writer.send(record(job)));
        writer.commit();
        long reportedAt = System.nanoTime();
        now.forEach(job -> continueUpgrade(job, reportedAt));
    }

    private void continueUpgrade(Job job, long reportedAt) {
        switch (job.phase()) {
            case INSPECT -> due.add(job.then(Phase.CALL, reportedAt + ANSWER_NANOS));
            case CALL -> {
                recordCall(reportedAt);
                due.add(job.then(Phase.DONE, reportedAt + workNanos));
            }
            case DONE -> free.add(reportedAt);
        }
    }

    /** The first calls use free slots; each later one takes the slot that has been free longest. */
    private void recordCall(long at) {
        if (++calls > slots) {
            Long since = free.poll();
            if (since != null) {
                stopAndReadTurnarounds.add((at - since) / MILLI);
            }
        }
    }

    private static WireRecord record(Job job) {
        WorkerCommand.UpgradeMachine command = job.command();
        AttemptReport report = switch (job.phase()) {
            case INSPECT -> new AttemptReport.StepReached(AttemptStep.PREFLIGHT, null);
            case CALL -> new AttemptReport.StepReached(AttemptStep.STARTING, null);
            case DONE -> new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "2001", "v1.36.0");
        };
        WireRecord record = WireRecordCodec.encode(
                new AttemptProgress(command.key(), command.uid(), command.attemptId(), report, Instant.now()));
        return new WireRecord(
                record.topic(),
                TablePartition.of(Table.PROGRESS, command.key()).partition(),
                record.key(),
                record.value(),
                record.headers());
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
