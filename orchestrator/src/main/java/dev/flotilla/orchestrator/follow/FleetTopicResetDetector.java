package dev.flotilla.orchestrator.follow;

import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.kafka.TopicSetStatus;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TopicId;
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
 * Checks that the fleet's topics are complete and are those that the head row records. A topic that was created again
 * may lack a freeze or pause order, so no replica leads on it until an operator adopts it. A topic whose first records
 * were deleted may lack one, too, and must be created again.
 */
public final class FleetTopicResetDetector {
    private static final Duration POLL = Duration.ofMillis(50);

    private FleetTopicResetDetector() {}

    /**
     * Refuses leadership if a topic differs from the recorded one, has another number of partitions, or rows are or
     * could be deleted.
     */
    public static void validateTopics(List<TopicId> recorded, TopicSetStatus found) {
        requireComplete(found);
        for (TopicId topic : findRecreatedTopics(recorded, found)) {
            throw refuse(topic);
        }
    }

    /**
     * Makes the follower read operators' topics that were created again from their beginnings, if an order adopts them.
     */
    public static void adoptTopics(
            TableFollower tableFollower,
            TopicSetStatus found,
            Supplier<PartitionReader> reader,
            BooleanSupplier isRunning) {
        requireComplete(found);
        List<TopicId> recreated = findRecreatedTopics(tableFollower.head().topicIds(), found);
        if (recreated.isEmpty()) {
            return;
        }
        OperatorOrder order = readAdoptOrder(reader, isRunning);
        for (TopicId topic : recreated) {
            if (order == null || !order.id().contains(topic.id())) {
                throw refuse(topic);
            }
        }
        tableFollower.adoptTopics(recreated);
    }

    /**
     * The topics whose ids are recorded. The head topic's id is not, since it would be lost with the topic; nor is the
     * journal's, on which no decision depends.
     */
    public static List<TopicId> recordedTopics(TopicSetStatus found) {
        return found.topics().stream()
                .filter(topic -> OrchestratorPartitions.isRestoredFrom(topic.table()))
                .toList();
    }

    private static void requireComplete(TopicSetStatus found) {
        if (found.retentionProblem() != null) {
            throw new LeadershipRefusedException("The fleet's " + found.retentionProblem()
                    + ". Set it with kafka-configs.sh; docs/lost-records.md says what"
                    + " to do if rows are lost already.");
        }
        for (Table table : found.truncatedTables()) {
            throw new LeadershipRefusedException(
                    "The first records of topic " + Topic.of(table).name()
                            + " were deleted; a freeze or pause may have been among them. Create the topic again and "
                            + describeRepair(table) + ": see docs/lost-records.md.");
        }
        String problem = found.repartitioned();
        if (problem != null) {
            throw new LeadershipRefusedException(
                    "The fleet's " + problem + ": rows in the other partitions would never be read. See"
                            + " docs/lost-records.md for how to create the topic again.");
        }
    }

    private static List<TopicId> findRecreatedTopics(List<TopicId> recorded, TopicSetStatus found) {
        List<TopicId> recreated = new ArrayList<>();
        for (TopicId topic : recordedTopics(found)) {
            String before = TopicId.of(recorded, topic.table());
            if (before != null && !before.equals(topic.id())) {
                recreated.add(topic);
            }
        }
        return recreated;
    }

    private static LeadershipRefusedException refuse(TopicId topic) {
        String name = Topic.of(topic.table()).name();
        return new LeadershipRefusedException(
                "Topic " + name + " was deleted and created again: its id is " + topic.id()
                        + " now, and its rows are lost, perhaps a freeze or pause among them. Now "
                        + describeRepair(topic.table()) + ": see docs/lost-records.md.");
    }

    private static String describeRepair(Table table) {
        return (OrchestratorPartitions.isInput(table) ? "write the rows again" : "restore the rows from a copy")
                + ", then `flotilla fleet adopt`";
    }

    /** The newest order to adopt topics, decided on or not. */
    private static @Nullable OperatorOrder readAdoptOrder(
            Supplier<PartitionReader> readerFactory, BooleanSupplier isRunning) {
        try (PartitionReader reader = readerFactory.get()) {
            return readAdoptOrder(reader, isRunning);
        }
    }

    private static @Nullable OperatorOrder readAdoptOrder(PartitionReader reader, BooleanSupplier isRunning) {
        TablePartition orders = TablePartition.of(Table.ORDERS);
        reader.assign(List.of(orders));
        reader.seekToBeginning(List.of(orders));
        Map<TablePartition, Long> ends = reader.endOffsets(List.of(orders));
        OperatorOrder newest = null;
        while (isRunning.getAsBoolean() && reader.nextOffset(orders) < ends.getOrDefault(orders, 0L)) {
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
