package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.kafka.ComponentAcls;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.PartitionAssignmentConsumer;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.kafka.TransactionalRowWriter;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.runtime.retry.JitteredBackoff;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The loop of the worker, on its own thread, which owns all machine upgrades. Work on nodes and objects runs elsewhere
 * and returns its results to the loop. While Kafka is unavailable running upgrades continue and none starts.
 */
public final class WorkerLoop implements AutoCloseable {
    private static final long TICK_MILLIS = 50;

    /** Interval at which a worker with partitions reads its assignment. */
    private static final long ASSIGNMENT_INTERVAL = 100;

    /** Minimum interval of polls, because a poll costs more than most tasks. */
    private static final long MIN_POLL_INTERVAL = 20;

    private static final Duration KAFKA_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);
    private static final int POLL_RECORDS = 2_000;
    private static final JitteredBackoff RETRY_BACKOFF = JitteredBackoff.constant(Duration.ofMillis(500));

    /** Pause after being fenced: the new owner may be legitimate, and the group tells soon. */
    private static final long FENCED_PAUSE = 3_000;

    private static final long STOP_TIMEOUT = 10_000;

    /** Time for open calls to be answered when the worker stops, and when a partition is revoked. */
    private static final long STOP_SETTLE_TIMEOUT = 7_000;

    private static final long REVOKE_SETTLE_TIMEOUT = 2_000;

    private final String name;
    private final SiteId site;
    private final KafkaClientSettings kafka;
    private final WorkerLoopContext workerLoopContext;
    private final Thread thread;
    private final Map<Integer, CommandPartition> partitions = new TreeMap<>();
    private volatile @Nullable PartitionReader activeReader;
    /** Whether the loop waits in Kafka's client and must be woken. */
    private final AtomicBoolean polling = new AtomicBoolean();

    private volatile boolean stopped;
    private boolean pollingAssignment;
    private boolean partitionsLost;
    private long nextOpenAt = Long.MIN_VALUE;
    private long nextAssignmentAt = Long.MIN_VALUE;
    private long nextPollAt = Long.MIN_VALUE;

    public WorkerLoop(
            String name,
            SiteId site,
            KafkaClientSettings kafka,
            ProcessClock clock,
            NodeUpgrader.Factory factory,
            PollIntervalEstimator pollIntervalEstimator,
            WorkerLoopListener listener,
            boolean traced) {
        this.name = name;
        this.site = site;
        this.kafka = kafka;
        LoopTaskQueue loopTaskQueue = new LoopTaskQueue(clock);
        this.workerLoopContext = new WorkerLoopContext(
                name,
                new BrokerAwareClock(clock),
                factory,
                pollIntervalEstimator,
                listener,
                loopTaskQueue,
                new UpgradeStartLimiter(loopTaskQueue),
                this::wake,
                traced);
        this.thread = Thread.ofPlatform()
                .name("upgrades")
                .uncaughtExceptionHandler((ended, bug) -> listener.loopFailed(bug))
                .unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Leaves the group, so that another worker continues the upgrades. Waits for it. */
    @Override
    public void close() {
        stopped = true;
        wake();
        try {
            thread.join(STOP_TIMEOUT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Wakes the loop once, however many tasks are submitted, because each wakeup costs a poll. Outside a poll the loop
     * notices tasks itself.
     */
    private void wake() {
        PartitionReader reader = activeReader;
        if (reader != null && polling.compareAndSet(true, false)) {
            reader.wakeUp();
        }
    }

    private void run() {
        while (!stopped) {
            try {
                runAsGroupMember();
            } catch (KafkaFailure failure) {
                handleKafkaFailure(failure);
                workerLoopContext.taskQueue().waitForTask(RETRY_BACKOFF.delayMillis());
            }
        }
        partitions.values().forEach(CommandPartition::dropAll);
    }

    /** Runs as a member of the site's consumer group until Kafka fails. */
    private void runAsGroupMember() {
        try (PartitionAssignmentConsumer partitionAssignmentConsumer = new PartitionAssignmentConsumer(
                        kafka,
                        name,
                        ComponentAcls.workerGroup(site),
                        new Topic(Table.COMMANDS, site).name(),
                        SESSION_TIMEOUT,
                        this::onPartitionsRevoked);
                PartitionReader reader = new PartitionReader(kafka, name + "-tables", POLL_RECORDS, KAFKA_TIMEOUT)) {
            activeReader = reader;
            CommandReader commandReader = new CommandReader(reader, workerLoopContext.clock());
            while (!stopped) {
                refreshAssignment(partitionAssignmentConsumer, commandReader);
                waitForWork(commandReader);
                workerLoopContext.taskQueue().runDueTasks();
                flushReports();
            }
            handOver(Set.copyOf(partitions.keySet()), STOP_SETTLE_TIMEOUT);
        } finally {
            activeReader = null;
            partitions.values().forEach(CommandPartition::closeSession);
        }
    }

    /** Waits until there may be something to do. Right after a poll it waits without Kafka. */
    private void waitForWork(CommandReader commandReader) {
        long now = workerLoopContext.clock().monotonicMillis();
        if (commandReader.hasNoPartitions() || now < nextPollAt) {
            workerLoopContext
                    .taskQueue()
                    .waitForTask(workerLoopContext
                            .taskQueue()
                            .millisUntilNext(
                                    commandReader.hasNoPartitions()
                                            ? TICK_MILLIS
                                            : Math.min(TICK_MILLIS, nextPollAt - now)));
            return;
        }
        polling.set(true);
        try {
            // Tasks submitted from now on wake the poll, and earlier ones are counted in its timeout.
            commandReader.pollCommands(
                    Duration.ofMillis(workerLoopContext.taskQueue().millisUntilNext(ASSIGNMENT_INTERVAL)),
                    this::handleCommand);
        } finally {
            polling.set(false);
        }
        nextPollAt = workerLoopContext.clock().monotonicMillis() + MIN_POLL_INTERVAL;
    }

    /** Hands over revoked partitions. The group assigns them to no other worker before this returns. */
    private void onPartitionsRevoked(Set<Integer> numbers) {
        // A worker that leaves the group because Kafka is unavailable keeps its upgrades.
        if (pollingAssignment) {
            handOver(numbers, REVOKE_SETTLE_TIMEOUT);
            dropPartitions(numbers);
        }
    }

    private @Nullable Set<Integer> pollAssignment(PartitionAssignmentConsumer partitionAssignmentConsumer) {
        pollingAssignment = true;
        try {
            return partitionAssignmentConsumer.pollAssignment(Duration.ZERO);
        } finally {
            pollingAssignment = false;
        }
    }

    private void dropPartitions(Set<Integer> numbers) {
        for (Integer number : numbers) {
            CommandPartition commandPartition = partitions.remove(number);
            if (commandPartition != null) {
                commandPartition.dropAll();
                partitionsLost = true;
            }
        }
    }

    /** Settles uncertain calls of partitions that another worker gets, for a limited time. */
    private void handOver(Set<Integer> numbers, long within) {
        long end = workerLoopContext.clock().monotonicMillis() + within;
        List<CommandPartition> leaving = partitions.values().stream()
                .filter(commandPartition ->
                        numbers.contains(commandPartition.commandPartition().partition()))
                .toList();
        leaving.forEach(CommandPartition::handOver);
        flushReports();
        while (workerLoopContext.clock().monotonicMillis() < end
                && !leaving.stream().allMatch(CommandPartition::isSettled)) {
            workerLoopContext
                    .taskQueue()
                    .waitForTask(workerLoopContext.taskQueue().millisUntilNext(TICK_MILLIS));
            workerLoopContext.taskQueue().runDueTasks();
            flushReports();
        }
    }

    private void applyAssignment(@Nullable Set<Integer> owned, CommandReader commandReader) {
        if (owned == null) {
            // No other worker is known to run our upgrades, so only new starts must stop.
            partitions.values().forEach(CommandPartition::closeSession);
        } else {
            Set<Integer> lostPartitions = new TreeSet<>(partitions.keySet());
            lostPartitions.removeAll(owned);
            dropPartitions(lostPartitions);
            if (partitionsLost) {
                partitionsLost = false;
                commandReader.followCommands(partitions.values());
            }
            owned.forEach(number ->
                    partitions.computeIfAbsent(number, fresh -> new CommandPartition(site, fresh, workerLoopContext)));
            for (CommandPartition commandPartition : partitions.values()) {
                if (!commandPartition.session().isOpen()
                        && workerLoopContext.clock().monotonicMillis() >= nextOpenAt) {
                    openPartition(commandPartition, commandReader);
                }
            }
        }
    }

    /** Reads the assignment at intervals, because it changes rarely and thousands of upgrades wake the loop. */
    private void refreshAssignment(
            PartitionAssignmentConsumer partitionAssignmentConsumer, CommandReader commandReader) {
        if (workerLoopContext.clock().monotonicMillis() >= nextAssignmentAt) {
            applyAssignment(pollAssignment(partitionAssignmentConsumer), commandReader);
            nextAssignmentAt = workerLoopContext.clock().monotonicMillis()
                    + (partitions.isEmpty() ? TICK_MILLIS : ASSIGNMENT_INTERVAL);
            reportGauges();
        }
    }

    private void reportGauges() {
        workerLoopContext
                .listener()
                .ownershipChanged(
                        (int) partitions.values().stream()
                                .filter(commandPartition ->
                                        commandPartition.session().isOpen())
                                .count(),
                        partitions.values().stream()
                                .mapToInt(CommandPartition::countAttempts)
                                .sum());
    }

    /** Fences the previous owner and opens the partition with its commands and progress. */
    private void openPartition(CommandPartition commandPartition, CommandReader commandReader) {
        TransactionalRowWriter writer = new TransactionalRowWriter(
                kafka,
                ComponentAcls.workerTransactions(
                        site, commandPartition.commandPartition().partition()),
                KAFKA_TIMEOUT);
        try {
            writer.init();
            commandPartition.openSession(writer, commandReader.readPartition(commandPartition, this::handleCommand));
        } catch (KafkaFailure failure) {
            writer.close();
            handleKafkaFailure(failure);
        }
    }

    private void handleCommand(TablePartition tablePartition, MachineKey machine, @Nullable WorkerCommand command) {
        CommandPartition commandPartition = partitions.get(tablePartition.partition());
        if (commandPartition != null) {
            commandPartition.onCommandChanged(machine, command);
        }
    }

    private void flushReports() {
        for (CommandPartition commandPartition : partitions.values()) {
            try {
                commandPartition.flushReports();
            } catch (KafkaFailure failure) {
                handleKafkaFailure(failure);
            }
        }
    }

    private void handleKafkaFailure(KafkaFailure failure) {
        workerLoopContext.listener().kafkaFailed(failure.kind().label(), String.valueOf(failure.getMessage()));
        boolean fenced = failure.kind() == KafkaFailure.Kind.FENCED;
        nextOpenAt =
                workerLoopContext.clock().monotonicMillis() + (fenced ? FENCED_PAUSE : RETRY_BACKOFF.delayMillis());
    }
}
