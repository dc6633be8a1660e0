package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.runtime.kafka.ComponentAcls;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.PartitionAssignmentConsumer;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.TransactionalRowWriter;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.Table;
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
 * The thread that owns all drives of a worker. What is done on nodes and objects is done elsewhere, and comes back to it. It
 * goes on with what has begun while Kafka is away, and begins nothing then.
 */
public final class WorkerLoop implements AutoCloseable {
    private static final long TICK = 50;

    /** Whoever has partitions looks so often what has become of them. */
    private static final long STEADY = 100;

    /** Kafka is asked no more often while much is done: a poll costs more than most of what is done. */
    private static final long BREATH = 20;

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final int POLL_RECORDS = 2_000;
    private static final long PAUSE = 500;

    /** Whoever has fenced us may own the partition by rights: the group says so soon. */
    private static final long PAUSE_WHEN_FENCED = 3_000;

    private static final long END_WITHIN = 10_000;

    /** So long calls that are out may take to be answered when this ends, and when a partition is given away. */
    private static final long SETTLE_WITHIN = 7_000;

    private static final long GIVE_AWAY_WITHIN = 2_000;

    private final String name;
    private final SiteId site;
    private final KafkaClientSettings kafka;
    private final WorkerLoopContext workerLoopContext;
    private final Thread thread;
    private final Map<Integer, CommandPartition> partitions = new TreeMap<>();
    private volatile @Nullable PartitionReader reading;
    /** Whether the loop waits in Kafka's client, out of which it has to be woken. */
    private final AtomicBoolean polling = new AtomicBoolean();

    private volatile boolean over;
    private boolean asksWhatIsOwned;
    private boolean hasLost;
    private long opensAgain = Long.MIN_VALUE;
    private long looksAgain = Long.MIN_VALUE;
    private long pollsAgain = Long.MIN_VALUE;

    public WorkerLoop(
            String name,
            SiteId site,
            KafkaClientSettings kafka,
            WorkerClock time,
            NodeUpgrader.Factory factory,
            PollIntervalEstimator pollIntervalEstimator,
            WorkerLoopListener listener) {
        this.name = name;
        this.site = site;
        this.kafka = kafka;
        LoopTaskQueue loopTaskQueue = new LoopTaskQueue(time);
        this.workerLoopContext = new WorkerLoopContext(
                name,
                new BrokerAwareClock(time),
                factory,
                pollIntervalEstimator,
                listener,
                loopTaskQueue,
                new UpgradeStartLimiter(loopTaskQueue),
                this::wake);
        this.thread = Thread.ofPlatform()
                .name("drives")
                .uncaughtExceptionHandler((ended, bug) -> listener.loopFailed(bug))
                .unstarted(this::work);
    }

    public void start() {
        thread.start();
    }

    /** Leaves the group, so that another takes up what has begun. Waits for it. */
    @Override
    public void close() {
        over = true;
        wake();
        try {
            thread.join(END_WITHIN);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Once, however many ask before the loop has come to it: each costs a poll. Elsewhere it hears by itself. */
    private void wake() {
        PartitionReader reader = reading;
        if (reader != null && polling.compareAndSet(true, false)) {
            reader.wakeUp();
        }
    }

    private void work() {
        while (!over) {
            try {
                runAsGroupMember();
            } catch (KafkaFailure failure) {
                failed(failure);
                workerLoopContext.taskQueue().waitForTask(PAUSE);
            }
        }
        partitions.values().forEach(CommandPartition::dropAll);
    }

    /** A life as a member of the site's group. */
    private void runAsGroupMember() {
        try (PartitionAssignmentConsumer partitionAssignmentConsumer = new PartitionAssignmentConsumer(
                        kafka,
                        ComponentAcls.workerGroup(site),
                        new Topic(Table.COMMANDS, site).name(),
                        SESSION,
                        this::onPartitionsRevoked);
                PartitionReader reader = new PartitionReader(kafka, name + "-tables", POLL_RECORDS, PATIENCE)) {
            reading = reader;
            CommandReader commandReader = new CommandReader(reader, workerLoopContext.clock());
            while (!over) {
                refreshAssignment(partitionAssignmentConsumer, commandReader);
                waitForWork(commandReader);
                workerLoopContext.taskQueue().runDueTasks();
                flushReports();
            }
            handOver(Set.copyOf(partitions.keySet()), SETTLE_WITHIN);
        } finally {
            reading = null;
            partitions.values().forEach(CommandPartition::closeSession);
        }
    }

    /** Waits until there may be something to do. What follows soon upon another is waited for without Kafka. */
    private void waitForWork(CommandReader commandReader) {
        long now = workerLoopContext.clock().monotonicMillis();
        if (commandReader.hasNoPartitions() || now < pollsAgain) {
            workerLoopContext
                    .taskQueue()
                    .waitForTask(workerLoopContext
                            .taskQueue()
                            .millisUntilNext(
                                    commandReader.hasNoPartitions() ? TICK : Math.min(TICK, pollsAgain - now)));
            return;
        }
        polling.set(true);
        try {
            // What is asked for from now on wakes, and what was asked for before is seen.
            commandReader.pollCommands(
                    Duration.ofMillis(workerLoopContext.taskQueue().millisUntilNext(STEADY)), this::commanded);
        } finally {
            polling.set(false);
        }
        pollsAgain = workerLoopContext.clock().monotonicMillis() + BREATH;
    }

    /** The group takes these away, and gives them to nobody before this returns. */
    private void onPartitionsRevoked(Set<Integer> numbers) {
        // Whoever leaves the group because Kafka is away keeps its drives.
        if (asksWhatIsOwned) {
            handOver(numbers, GIVE_AWAY_WITHIN);
            dropPartitions(numbers);
        }
    }

    private @Nullable Set<Integer> owned(PartitionAssignmentConsumer partitionAssignmentConsumer) {
        asksWhatIsOwned = true;
        try {
            return partitionAssignmentConsumer.pollAssignment(Duration.ZERO);
        } finally {
            asksWhatIsOwned = false;
        }
    }

    private void dropPartitions(Set<Integer> numbers) {
        for (Integer number : numbers) {
            CommandPartition commandPartition = partitions.remove(number);
            if (commandPartition != null) {
                commandPartition.dropAll();
                hasLost = true;
            }
        }
    }

    /** Leaves nothing in the log that nobody could tell the outcome of, if that takes no longer. */
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
                    .waitForTask(workerLoopContext.taskQueue().millisUntilNext(TICK));
            workerLoopContext.taskQueue().runDueTasks();
            flushReports();
        }
    }

    private void applyAssignment(@Nullable Set<Integer> owned, CommandReader commandReader) {
        if (owned == null) {
            // Nobody says that others drive what we have begun: only nothing must begin.
            partitions.values().forEach(CommandPartition::closeSession);
        } else {
            Set<Integer> gone = new TreeSet<>(partitions.keySet());
            gone.removeAll(owned);
            dropPartitions(gone);
            if (hasLost) {
                hasLost = false;
                commandReader.followCommands(partitions.values());
            }
            owned.forEach(number ->
                    partitions.computeIfAbsent(number, fresh -> new CommandPartition(site, fresh, workerLoopContext)));
            for (CommandPartition commandPartition : partitions.values()) {
                if (!commandPartition.session().isOpen()
                        && workerLoopContext.clock().monotonicMillis() >= opensAgain) {
                    open(commandPartition, commandReader);
                }
            }
        }
    }

    /** What is ours changes seldom: it is not looked at each time that one of thousands wakes the loop. */
    private void refreshAssignment(
            PartitionAssignmentConsumer partitionAssignmentConsumer, CommandReader commandReader) {
        if (workerLoopContext.clock().monotonicMillis() >= looksAgain) {
            applyAssignment(owned(partitionAssignmentConsumer), commandReader);
            looksAgain = workerLoopContext.clock().monotonicMillis() + (partitions.isEmpty() ? TICK : STEADY);
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

    /** Fences whoever owned it, and takes it up from what was commanded and told. */
    private void open(CommandPartition commandPartition, CommandReader commandReader) {
        TransactionalRowWriter writer = new TransactionalRowWriter(
                kafka,
                ComponentAcls.workerTransactions(
                        site, commandPartition.commandPartition().partition()),
                PATIENCE);
        try {
            writer.init();
            commandPartition.openSession(writer, commandReader.readPartition(commandPartition, this::commanded));
        } catch (KafkaFailure failure) {
            writer.close();
            failed(failure);
        }
    }

    private void commanded(TablePartition tablePartition, MachineKey machine, @Nullable WorkerCommand command) {
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
                failed(failure);
            }
        }
    }

    private void failed(KafkaFailure failure) {
        workerLoopContext.listener().kafkaFailed(failure.kind().label(), String.valueOf(failure.getMessage()));
        boolean fenced = failure.kind() == KafkaFailure.Kind.FENCED;
        opensAgain = workerLoopContext.clock().monotonicMillis() + (fenced ? PAUSE_WHEN_FENCED : PAUSE);
    }
}
