package dev.flotilla.kafka;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Finds open transactions that block records of other producers: the last stable offset is not the end of the log. */
public final class OpenTransactionFinder implements AutoCloseable {
    private final Admin admin;
    private final Duration patience;

    public OpenTransactionFinder(KafkaClientSettings settings, Duration patience) {
        this.admin = Admin.create(settings.admin(patience));
        this.patience = patience;
    }

    /** Returns all partitions of the topics of tables. */
    public List<TablePartition> inputPartitions(Predicate<Table> wanted) {
        List<TablePartition> places = new ArrayList<>();
        for (String name : await("list topics", admin.listTopics().names())) {
            Topic topic = Topic.parse(name);
            if (topic != null && wanted.test(topic.table())) {
                for (int partition = 0; partition < topic.table().partitions(); partition++) {
                    places.add(new TablePartition(topic.table(), topic.site(), partition));
                }
            }
        }
        return places;
    }

    /** Returns the blocked partitions, in order, with the first blocked offset and the number of blocked offsets. */
    public Map<TablePartition, BlockedOffsets> findBlockedPartitions(Collection<TablePartition> places) {
        ListOffsetsResult stable = readEndOffsets(places, IsolationLevel.READ_COMMITTED);
        ListOffsetsResult all = readEndOffsets(places, IsolationLevel.READ_UNCOMMITTED);
        Map<TablePartition, BlockedOffsets> found = new TreeMap<>(Comparator.comparing(TablePartition::toString));
        for (TablePartition tablePartition : places) {
            Long first = offset(stable, tablePartition);
            Long end = offset(all, tablePartition);
            if (first != null && end != null && end > first) {
                found.put(tablePartition, new BlockedOffsets(first, end - first));
            }
        }
        return found;
    }

    /** The first blocked offset of a partition, and the number of blocked offsets. */
    public record BlockedOffsets(long first, long offsets) {}

    /** Finds the producer of a transaction. Without authorization the result has no transactional id. */
    public OpenTransaction describe(TablePartition tablePartition, BlockedOffsets blockedOffsets) {
        TransactionDescription description = null;
        String id = null;
        try {
            Long producer = producer(tablePartition, blockedOffsets.first());
            id = producer == null ? null : transactionalId(producer);
            description = id == null
                    ? null
                    : await(
                            "describe a transaction",
                            admin.describeTransactions(Set.of(id)).description(id));
        } catch (KafkaFailure unknown) {
            // Report the blocked partition without a producer.
            description = null;
        }
        return new OpenTransaction(
                tablePartition, blockedOffsets.first(), blockedOffsets.offsets(), id, endsBy(description));
    }

    private static @Nullable Instant endsBy(@Nullable TransactionDescription of) {
        return of == null || of.transactionStartTimeMs().isEmpty()
                ? null
                : Instant.ofEpochMilli(of.transactionStartTimeMs().getAsLong() + of.transactionTimeoutMs());
    }

    private @Nullable Long producer(TablePartition tablePartition, long first) {
        TopicPartition partition = KafkaRecordConverter.toTopicPartition(tablePartition);
        for (ProducerState state : await(
                        "describe producers",
                        admin.describeProducers(Set.of(partition)).partitionResult(partition))
                .activeProducers()) {
            if (state.currentTransactionStartOffset().orElse(-1) == first) {
                return state.producerId();
            }
        }
        return null;
    }

    private @Nullable String transactionalId(long producer) {
        for (TransactionListing listing : await(
                "list transactions",
                admin.listTransactions(new ListTransactionsOptions().filterProducerIds(Set.of(producer)))
                        .all())) {
            if (listing.producerId() == producer) {
                return listing.transactionalId();
            }
        }
        return null;
    }

    private ListOffsetsResult readEndOffsets(Collection<TablePartition> places, IsolationLevel level) {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        places.forEach(tablePartition ->
                latest.put(KafkaRecordConverter.toTopicPartition(tablePartition), OffsetSpec.latest()));
        return admin.listOffsets(latest, new ListOffsetsOptions(level));
    }

    /** Returns null for a partition that does not exist or has no leader now. */
    private @Nullable Long offset(ListOffsetsResult of, TablePartition tablePartition) {
        try {
            return await("find an end", of.partitionResult(KafkaRecordConverter.toTopicPartition(tablePartition)))
                    .offset();
        } catch (KafkaFailure away) {
            return null;
        }
    }

    private <T> T await(String what, KafkaFuture<T> answer) {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new KafkaFailure(KafkaFailure.Kind.OTHER, "interrupted while waiting to " + what, interrupted);
        } catch (ExecutionException | TimeoutException | KafkaException failed) {
            throw KafkaFailure.of(what, failed);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
