package dev.flotilla.e2e.arena;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import dev.flotilla.testkit.tables.TableWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Admits attempts as workers expect from an orchestrator: one at a time for each machine, the next one when the last
 * has failed or was unknown for too long.
 */
public final class FakeOrchestrator implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** Outlasts the test also for a worker whose clock runs twenty times as fast. */
    private static final Duration LEASE_DURATION = Duration.ofHours(3);

    /** Time after which an unknown attempt is lost. */
    private static final Duration LOST_AFTER = Duration.ofSeconds(10);

    private static final UpgradeTarget TARGET = new UpgradeTarget.Revision("3100");

    private final TableWriter writer;
    private final TableReader view;
    private final Duration leaseDuration;
    private final Map<MachineKey, Job> jobs = new TreeMap<>();
    private long attempts = 1000;

    /** A machine to upgrade, and its attempts. */
    private static final class Job {
        private final String uid;
        private final List<Long> begun = new ArrayList<>();
        private final List<String> ends = new ArrayList<>();
        private long attempt;
        private Instant unknownSince = Instant.MAX;
        private boolean stepped;
        private boolean succeeded;

        Job(String uid) {
            this.uid = uid;
        }
    }

    /** Makes one whose command leases outlast the test. */
    public FakeOrchestrator(String bootstrap, Collection<String> sites) {
        this(bootstrap, sites, LEASE_DURATION);
    }

    public FakeOrchestrator(String bootstrap, Collection<String> sites, Duration leaseDuration) {
        this.leaseDuration = leaseDuration;
        this.writer = new TableWriter(bootstrap, failure -> {
            throw new IllegalStateException("writing commands", failure);
        });
        this.view = new TableReader(
                bootstrap,
                sites.stream()
                        .flatMap(site -> IntStream.range(0, Table.PROGRESS.partitions())
                                .mapToObj(i -> new TablePartition(Table.PROGRESS, new SiteId(site), i)))
                        .toList());
    }

    /** Adds a machine to upgrade. */
    public void addTarget(MachineKey machine, String uid) {
        Job job = new Job(uid);
        jobs.put(machine, job);
        admit(machine, job);
    }

    private void admit(MachineKey machine, Job job) {
        job.attempt = ++attempts;
        job.unknownSince = Instant.MAX;
        job.begun.add(System.currentTimeMillis());
        writer.write(
                TablePartition.of(Table.COMMANDS, machine),
                new WorkerCommand.UpgradeMachine(
                        machine,
                        job.uid,
                        job.attempt,
                        MachineRole.WORKER,
                        TARGET,
                        null,
                        null,
                        jobs.size() + 1,
                        Instant.now().plus(leaseDuration)),
                () -> {});
        writer.flush();
    }

    /** Reads workers' reports and acts on them. */
    public void processReports() {
        for (TableRecord tableRecord : view.poll(Duration.ofMillis(20))) {
            if (tableRecord.rowChange() instanceof AttemptProgress progress) {
                heard(progress);
            }
        }
        jobs.forEach((machine, job) -> {
            if (Instant.now().isAfter(later(job.unknownSince))) {
                job.ends.add("lost");
                admit(machine, job);
            }
        });
    }

    private static Instant later(Instant since) {
        return since.equals(Instant.MAX) ? since : since.plus(LOST_AFTER);
    }

    private void heard(AttemptProgress progress) {
        Job job = jobs.get(progress.key());
        if (job == null || progress.attemptId() != job.attempt || job.succeeded) {
            return;
        }
        switch (progress.report()) {
            case AttemptReport.StepReached stepReached -> job.stepped = true;
            case AttemptReport.OutcomeUnknown unknown -> job.unknownSince = Instant.now();
            case AttemptReport.Succeeded done -> {
                job.succeeded = true;
                job.unknownSince = Instant.MAX;
                job.ends.add(done.proof().label());
            }
            default -> {
                job.ends.add(progress.report().getClass().getSimpleName());
                admit(progress.key(), job);
            }
        }
    }

    /** Whether a worker has reported that it has started on a machine. */
    public boolean hasBegun(MachineKey machine) {
        return job(machine).stepped;
    }

    public long succeeded() {
        return jobs.values().stream().filter(job -> job.succeeded).count();
    }

    /** Processes reports until a condition holds. */
    public void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waiting for " + what + ": " + story());
            }
            processReports();
        }
    }

    private String story() {
        StringBuilder text = new StringBuilder();
        jobs.forEach((machine, job) -> {
            if (!job.succeeded) {
                int attemptsEnded = job.ends.size();
                text.append(machine)
                        .append(": ")
                        .append(attemptsEnded)
                        .append(" attempts ended, the last ones ")
                        .append(job.ends.subList(Math.max(0, attemptsEnded - 5), attemptsEnded))
                        .append("; ");
            }
        });
        return text.toString();
    }

    /** How the attempts of a machine ended, in order. */
    public List<String> attemptEnds(MachineKey machine) {
        return job(machine).ends;
    }

    private Job job(MachineKey machine) {
        Job job = jobs.get(machine);
        if (job == null) {
            throw new IllegalArgumentException(machine + " was not added");
        }
        return job;
    }

    /** Attempts during which the node accepted more than one call, by its ledger. */
    public List<String> calledTwice(NodeCallLedger ledger) {
        return jobs.entrySet().stream()
                .flatMap(each -> calledTwice(each.getKey(), each.getValue(), ledger.calls(each.getKey())))
                .toList();
    }

    private static Stream<String> calledTwice(MachineKey machine, Job job, List<NodeCallLedger.NodeCall> calls) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < job.begun.size(); i++) {
            long from = job.begun.get(i);
            long to = i + 1 < job.begun.size() ? job.begun.get(i + 1) : Long.MAX_VALUE;
            long taken = calls.stream()
                    .filter(call -> !call.rejected() && call.calledAt() >= from && call.calledAt() < to)
                    .count();
            if (taken > 1) {
                found.add(machine + ", try " + (i + 1) + ": " + taken + " calls");
            }
        }
        return found.stream();
    }

    @Override
    public void close() {
        writer.close();
        view.close();
    }
}
