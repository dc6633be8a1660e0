package dev.flotilla.nodeworker.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.kafka.ComponentAcls;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.TransactionalRowWriter;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import dev.flotilla.testkit.tables.TableWriter;
import dev.flotilla.testkit.tables.TopicCreator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A site's workers on a real Kafka; the test writes the orchestrator's commands. */
final class WorkersFixture implements AutoCloseable {
    static final String TARGET = "2000";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final ScriptedNodeUpgraders nodes = new ScriptedNodeUpgraders();
    final AtomicInteger polls = new AtomicInteger();
    private final NodeUpgrader.Factory factory;
    final List<String> left = new CopyOnWriteArrayList<>();
    final List<String> cleanedUp = new CopyOnWriteArrayList<>();
    final List<String> kafkaFailures = new CopyOnWriteArrayList<>();
    private final String bootstrap;
    private final SiteId site;
    private final TableWriter writer;
    private TableReader view;
    private final List<WorkerLoop> loops = new ArrayList<>();
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    private final Map<MachineKey, AttemptProgress> lastReport = new TreeMap<>();

    /** Whose machines are stubs. */
    WorkersFixture(String bootstrap, String site) {
        this(bootstrap, site, null);
    }

    /**
     * Creates the fixture of a site.
     *
     * @param factory creates the node upgraders; null for stubs
     */
    WorkersFixture(String bootstrap, String site, NodeUpgrader.@Nullable Factory factory) {
        this.factory = factory == null ? nodes : factory;
        this.bootstrap = bootstrap;
        this.site = new SiteId(site);
        try {
            TopicCreator.createTopics(bootstrap, List.of(this.site));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        this.writer = new TableWriter(bootstrap, bugs::add);
        this.view = view();
    }

    private TableReader view() {
        return new TableReader(
                bootstrap,
                IntStream.range(0, Table.PROGRESS.partitions())
                        .mapToObj(i -> new TablePartition(Table.PROGRESS, site, i))
                        .toList());
    }

    /** Deletes the topic of the reports, creates it again, and makes the workers read it again. */
    void loseWhatWasTold(int number) throws InterruptedException {
        view.close();
        TopicCreator.delete(bootstrap, new Topic(Table.PROGRESS, site));
        TopicCreator.createTopics(bootstrap, List.of(site));
        lastReport.clear();
        view = view();
        int partition = TablePartition.of(Table.PROGRESS, machine(number)).partition();
        try (TransactionalRowWriter fence = new TransactionalRowWriter(
                KafkaClientSettings.forLocalBroker(bootstrap),
                ComponentAcls.workerTransactions(site, partition),
                PATIENCE)) {
            fence.init();
        }
    }

    MachineKey machine(int number) {
        return new MachineKey(site, "fleet", "m-" + number);
    }

    WorkerLoop start(String name) {
        return start(name, ProcessClock.SYSTEM);
    }

    WorkerLoop start(String name, ProcessClock time) {
        WorkerLoop loop = new WorkerLoop(
                name,
                site,
                KafkaClientSettings.forLocalBroker(bootstrap),
                time,
                factory,
                new PollIntervalEstimator(Duration.ofMillis(50), new SplittableRandom(1)),
                new Silent(),
                true);
        loops.add(loop);
        loop.start();
        return loop;
    }

    void command(int number, long attempt) {
        command(machine(number), "uid-" + number, attempt, MachineRole.WORKER, TARGET);
    }

    /** A command that ends then. */
    void command(int number, long attempt, Instant leaseExpiresAt) {
        command(machine(number), "uid-" + number, attempt, MachineRole.WORKER, TARGET, leaseExpiresAt);
    }

    void command(MachineKey machine, String uid, long attempt, MachineRole role, String revision) {
        command(machine, uid, attempt, role, revision, Instant.now().plus(Duration.ofMinutes(15)));
    }

    private void command(
            MachineKey machine, String uid, long attempt, MachineRole role, String revision, Instant leaseExpiresAt) {
        write(
                Table.COMMANDS,
                machine,
                new WorkerCommand.UpgradeMachine(
                        machine,
                        uid,
                        attempt,
                        role,
                        new UpgradeTarget.Revision(revision),
                        null,
                        null,
                        1,
                        leaseExpiresAt));
    }

    /** Any command. */
    void command(WorkerCommand command) {
        write(Table.COMMANDS, command.key(), command);
    }

    void cancel(int number, long attempt) {
        write(
                Table.COMMANDS,
                machine(number),
                new WorkerCommand.CancelUpgrade(machine(number), "uid-" + number, attempt, "freeze"));
    }

    void forget(int number) {
        write(
                Table.COMMANDS,
                machine(number),
                new Tombstone(new dev.flotilla.schemas.id.RowKey(Table.COMMANDS, machine(number))));
    }

    /** Writes a report of another worker. */
    void writeReport(int number, long attempt, AttemptReport report) {
        write(
                Table.PROGRESS,
                machine(number),
                new AttemptProgress(machine(number), "uid-" + number, attempt, report, Instant.ofEpochMilli(1)));
    }

    private void write(Table table, MachineKey key, RowChange rowChange) {
        writer.write(TablePartition.of(table, key), rowChange, () -> {});
        writer.flush();
    }

    @Nullable
    AttemptReport lastReport(int number) {
        return lastReport(machine(number));
    }

    @Nullable
    AttemptReport lastReport(MachineKey machine) {
        for (TableRecord tableRecord : view.poll(Duration.ofMillis(20))) {
            if (tableRecord.rowChange() instanceof AttemptProgress progress) {
                lastReport.put(progress.key(), progress);
            }
        }
        AttemptProgress progress = lastReport.get(machine);
        return progress == null ? null : progress.report();
    }

    void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(bugs).isEmpty();
            assertThat(System.nanoTime())
                    .as("waiting for " + what + ", reported " + lastReport + ", Kafka failed " + kafkaFailures)
                    .isLessThan(end);
            lastReport(0);
        }
        assertThat(bugs).isEmpty();
    }

    /** Waits for a bug that the test has provoked. */
    Throwable bug() {
        awaitABug();
        Throwable bug = bugs.getFirst();
        bugs.clear();
        return bug;
    }

    private void awaitABug() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (bugs.isEmpty()) {
            assertThat(System.nanoTime())
                    .as("waiting for a bug, reported " + lastReport)
                    .isLessThan(end);
            lastReport(0);
        }
    }

    @Override
    public void close() {
        loops.forEach(WorkerLoop::close);
        writer.close();
        view.close();
        assertThat(bugs).as("bugs, also after the last wait").isEmpty();
    }

    private final class Silent implements WorkerLoopListener {
        @Override
        public void attemptStarted(UpgradeAttemptParameters upgradeAttemptParameters) {}

        @Override
        public void crashPointReached(UpgradeCrashPoint upgradeCrashPoint) {}

        @Override
        public void upgradeCalled(UpgradeAttemptParameters upgradeAttemptParameters) {}

        @Override
        public void preparationCalled(UpgradeAttemptParameters upgradeAttemptParameters) {}

        @Override
        public void changePolled(UpgradeAttemptParameters upgradeAttemptParameters) {
            polls.incrementAndGet();
        }

        @Override
        public void checksRun(UpgradeAttemptParameters upgradeAttemptParameters, List<FailedCheck> findings) {}

        @Override
        public void attemptEnded(UpgradeAttemptParameters upgradeAttemptParameters, AttemptReport report) {}

        @Override
        public void cleanupFailed(UpgradeAttemptParameters upgradeAttemptParameters, String why) {
            left.add(why);
        }

        @Override
        public void cleanedUp(UpgradeAttemptParameters upgradeAttemptParameters) {
            cleanedUp.add(upgradeAttemptParameters.key().name());
        }

        @Override
        public void ownershipChanged(int partitions, int attempts) {}

        @Override
        public void kafkaFailed(String reason, String why) {
            kafkaFailures.add(reason + ": " + why);
        }

        @Override
        public void loopFailed(Throwable bug) {
            bugs.add(bug);
        }
    }
}
