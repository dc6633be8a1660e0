package dev.flotilla.cli.kafka;

import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.AclGranter;
import dev.flotilla.kafka.BrokerReachabilityCheck;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.LogTrimmer;
import dev.flotilla.kafka.OpenTransaction;
import dev.flotilla.kafka.OpenTransactionFinder;
import dev.flotilla.kafka.OpenTransactionWatcher;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.kafka.TopicReconciler;
import dev.flotilla.kafka.TopicStateReader;
import dev.flotilla.runtime.process.NewerVersion;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Kafka client of one command, for the tables of a fleet. Used by one thread. */
public final class FleetKafkaClient implements AutoCloseable {
    /** Timeout of a request to a broker that accepts connections. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(15);

    /** Timeout of connecting, short because a person waits. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

    /** Timeout of reading tables, which may be long. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    /** How long to look for blocking transactions; longer than the transactions of a busy fleet take. */
    private static final Duration OPEN_TRANSACTION_WAIT = OpenTransaction.REPORTED_AFTER.plusSeconds(2);

    private final KafkaClientSettings settings;
    private final TopicReconciler topicReconciler;
    private @Nullable String newerRow;

    /** Whether all tables are read once only. */
    private boolean keepsTables;

    private @Nullable TableSnapshot keptTables;

    private FleetKafkaClient(KafkaClientSettings settings, TopicReconciler keeper) {
        this.settings = settings;
        this.topicReconciler = keeper;
    }

    /** Opens the client for a command for which a person waits. */
    static FleetKafkaClient open(KafkaClientSettings settings) {
        return open(settings, BrokerReachabilityCheck.isReachable(settings) ? REQUEST_TIMEOUT : CONNECT_TIMEOUT);
    }

    /**
     * Opens the client.
     *
     * @param patience timeout of the first request
     */
    static FleetKafkaClient open(KafkaClientSettings settings, Duration patience) {
        return new FleetKafkaClient(settings, TopicReconciler.connect(settings, patience));
    }

    /** The configured bootstrap brokers. */
    public String brokers() {
        return String.join(",", settings.bootstrap());
    }

    /** Administration of topics. */
    public TopicReconciler topics() {
        return topicReconciler;
    }

    /** Administration of ACLs. */
    public AclGranter aclGranter() {
        return AclGranter.connect(settings, REQUEST_TIMEOUT);
    }

    /** Sites that have all their topics. Throws if a topic of the fleet is missing. */
    public SortedSet<SiteId> sites() {
        // Only orchestrators may see the leader's topic, so it is left out here.
        requireTopics(TopicCatalogue.fleetTopics().stream()
                .filter(topic -> topic.table() != Table.LEADER)
                .toList());
        return topicReconciler.findCompleteSites();
    }

    /** Throws if a topic is missing, or may not be seen. */
    public void requireTopics(Collection<Topic> topics) {
        List<Topic> missing = topicReconciler.findMissingTopics(topics);
        if (!missing.isEmpty()) {
            throw new UnavailableException("Kafka at " + brokers() + " has no topic "
                    + missing.stream().map(Topic::name).collect(Collectors.joining(", "))
                    + ": check the address; `flotilla site add NAME` creates the fleet's topics together with a"
                    + " site's");
        }
    }

    /** Sites that the orchestrator knows, even without topics, and sites that have all their topics. */
    public SortedSet<SiteId> knownSites() {
        SortedSet<SiteId> all = new TreeSet<>(sites());
        all.addAll(read(List.of(), Table.HEAD).siteHeads().keySet());
        return all;
    }

    /** Reads tables of the fleet and of all sites, as of one instant. */
    public TableSnapshot read(Table... tables) {
        return read(sites(), tables);
    }

    /** Reads tables of the fleet and of these sites, as of one instant. */
    public TableSnapshot read(Collection<SiteId> sites, Table... tables) {
        List<TablePartition> places = new ArrayList<>();
        for (Table table : tables) {
            if (table.isPerSite()) {
                for (SiteId site : sites) {
                    for (int partition = 0; partition < table.partitions(); partition++) {
                        places.add(new TablePartition(table, site, partition));
                    }
                }
            } else {
                places.add(TablePartition.of(table));
            }
        }
        return readPlaces(places);
    }

    /** Makes all further calls of {@link #readAll} return the same rows, so that what they show is of one instant. */
    public FleetKafkaClient keepTables() {
        keepsTables = true;
        return this;
    }

    /** Reads all tables that decisions depend on, as of one instant. */
    public TableSnapshot readAll() {
        TableSnapshot tables = keptTables == null ? readAllNow() : keptTables;
        keptTables = keepsTables ? tables : null;
        return tables;
    }

    private TableSnapshot readAllNow() {
        SortedSet<SiteId> sites = sites();
        List<TablePartition> places = new ArrayList<>(OrchestratorPartitions.inputs(sites));
        places.addAll(OrchestratorPartitions.outputs(sites));
        return readPlaces(places);
    }

    private TableSnapshot readPlaces(List<TablePartition> places) {
        try (TableSnapshotReader reading = new TableSnapshotReader(settings, READ_TIMEOUT)) {
            TableSnapshot tables = reading.read(places);
            for (UnreadableRow row : tables.unreadableRows()) {
                String newer = OrchestratorPartitions.isInput(row.partition().table())
                        ? null
                        : NewerVersion.describe(row.why());
                newerRow = newer == null
                        ? newerRow
                        : "row " + row.key() + " of " + row.partition() + " is left out: " + newer;
            }
            return tables;
        }
    }

    /** A row that was left out because a newer version wrote it; null if there was none. */
    @Nullable
    String newerRow() {
        return newerRow;
    }

    /** A reader of one partition, from its beginning. */
    public PartitionReader reader(TablePartition tablePartition) {
        PartitionReader reader = new PartitionReader(settings, "flotilla-cli", 1_000, READ_TIMEOUT);
        reader.assign(List.of(tablePartition));
        reader.seekToBeginning(List.of(tablePartition));
        return reader;
    }

    /** Open transactions of other producers that block inputs for longer than a moment. */
    public List<OpenTransaction> blockingTransactions() {
        try (OpenTransactionFinder transactions = new OpenTransactionFinder(settings, REQUEST_TIMEOUT)) {
            if (transactions
                    .findBlockedPartitions(transactions.inputPartitions(OrchestratorPartitions::isInput))
                    .isEmpty()) {
                return List.of();
            }
        }
        BlockingQueue<List<OpenTransaction>> answers = new LinkedBlockingQueue<>();
        try (OpenTransactionWatcher watch = OpenTransactionWatcher.start(
                settings, REQUEST_TIMEOUT, OrchestratorPartitions::isInput, answers::add)) {
            long until = System.nanoTime() + OPEN_TRANSACTION_WAIT.toNanos();
            while (watch.blockingTransactions().isEmpty() && System.nanoTime() < until) {
                answers.poll(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
            return watch.blockingTransactions();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted");
        }
    }

    /** Reads the state of topics and consumer groups. */
    public TopicStateReader topicStateReader() {
        return TopicStateReader.connect(settings, REQUEST_TIMEOUT);
    }

    /** Whether a broker accepts connections now. */
    public boolean isReachable() {
        return BrokerReachabilityCheck.isReachable(settings);
    }

    /** The secrets with which this client connects, for a filter that keeps them out of what is shown. */
    public List<String> secretTexts() {
        return settings.secretTexts();
    }

    /** Deletes the beginning of the journal. */
    public LogTrimmer trimmer() {
        return LogTrimmer.connect(settings, REQUEST_TIMEOUT);
    }

    /** Writes a row or a tombstone and waits for the orchestrator's answer. */
    public SubmissionResult submit(RowChange rowChange, Duration wait) {
        return new RowSubmitter(settings, topicReconciler, REQUEST_TIMEOUT).submit(rowChange, wait);
    }

    @Override
    public void close() {
        topicReconciler.close();
    }
}
