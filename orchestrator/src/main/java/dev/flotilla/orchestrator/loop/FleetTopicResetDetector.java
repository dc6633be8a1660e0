package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.TopicSetStatus;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the fleet's topics are those that the head row speaks of, and whole. A topic that was created again may lack an order
 * to stop, so nobody leads on it before an order in it says that it is to be read from its beginning. One whose first records
 * were deleted may lack one, too, and has to be created again.
 */
final class FleetTopicResetDetector {
    private static final Duration POLL = Duration.ofMillis(50);

    private FleetTopicResetDetector() {}

    /** Refuses to lead on others than these, with other numbers of partitions, or where rows are or could be deleted. */
    static void validateTopics(List<TopicId> recorded, TopicSetStatus found) {
        requireWhole(found);
        for (TopicId topic : created(recorded, found)) {
            throw refusal(topic);
        }
    }

    /** Has topics of operators' rows that were created again read from their beginnings, if an order adopts them. */
    static void adoptTopics(
            TableFollower tableFollower,
            TopicSetStatus found,
            Supplier<PartitionReader> reader,
            BooleanSupplier goesOn) {
        requireWhole(found);
        List<TopicId> created = created(tableFollower.head().topicIds(), found);
        if (created.isEmpty()) {
            return;
        }
        OperatorOrder order = order(reader, goesOn);
        for (TopicId topic : created) {
            if (order == null || !order.id().contains(topic.id())) {
                throw refusal(topic);
            }
        }
        tableFollower.adoptTopics(created);
    }

    /**
     * Those whose ids are recorded. Not the head's: what says so would be lost with it. Nor that of the journal, on which no
     * decision rests.
     */
    static List<TopicId> recordedTopics(TopicSetStatus found) {
        return found.topics().stream()
                .filter(topic -> OrchestratorPartitions.isRestoredFrom(topic.table()))
                .toList();
    }

    private static void requireWhole(TopicSetStatus found) {
        if (found.retentionProblem() != null) {
            throw new LeadershipRefusedException("The fleet's " + found.retentionProblem()
                    + ". Set it with kafka-configs.sh; docs/lost-records.md says what"
                    + " to do where rows are lost already.");
        }
        for (Table table : found.truncatedTables()) {
            throw new LeadershipRefusedException(
                    "The first records of topic " + Topic.of(table).name()
                            + " were deleted, a freeze or a pause may have been among them. Create the topic again and "
                            + wayBack(table) + ": see docs/lost-records.md.");
        }
        String problem = found.repartitioned();
        if (problem != null) {
            throw new LeadershipRefusedException(
                    "The fleet's " + problem + ": rows in the others would never be read. See"
                            + " docs/lost-records.md for how to create it again.");
        }
    }

    private static List<TopicId> created(List<TopicId> recorded, TopicSetStatus found) {
        List<TopicId> created = new ArrayList<>();
        for (TopicId topic : recordedTopics(found)) {
            String before = TopicId.of(recorded, topic.table());
            if (before != null && !before.equals(topic.id())) {
                created.add(topic);
            }
        }
        return created;
    }

    private static LeadershipRefusedException refusal(TopicId topic) {
        String name = Topic.of(topic.table()).name();
        return new LeadershipRefusedException(
                "Topic " + name + " was deleted and created again: its id is " + topic.id()
                        + " now, and the rows that were in it are gone, a freeze or a pause among them. Now "
                        + wayBack(topic.table()) + ": see docs/lost-records.md.");
    }

    private static String wayBack(Table table) {
        return (OrchestratorPartitions.isInput(table) ? "write the rows again" : "bring the rows back from a copy")
                + ", then `flotilla fleet adopt`";
    }

    /** The newest order to adopt topics, decided on or not. */
    private static @Nullable OperatorOrder order(Supplier<PartitionReader> opens, BooleanSupplier goesOn) {
        try (PartitionReader reader = opens.get()) {
            return order(reader, goesOn);
        }
    }

    private static @Nullable OperatorOrder order(PartitionReader reader, BooleanSupplier goesOn) {
        TablePartition orders = TablePartition.of(Table.ORDERS);
        reader.assign(List.of(orders));
        reader.seekToBeginning(List.of(orders));
        Map<TablePartition, Long> ends = reader.endOffsets(List.of(orders));
        OperatorOrder newest = null;
        while (goesOn.getAsBoolean() && reader.nextOffset(orders) < ends.getOrDefault(orders, 0L)) {
            for (ConsumedRecord consumedRecord : reader.poll(POLL)) {
                RowChange rowChange = new DecodedRecord(consumedRecord).rowChange();
                if (rowChange != null && rowChange.rowKey().key() instanceof OperatorOrderKey.AdoptFleetTopics) {
                    newest = rowChange instanceof OperatorOrder order ? order : null;
                }
            }
        }
        return newest;
    }
}
