package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.kafka.TopicSetStatus;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is wrong with a site's topics, by its head row and what the brokers say. */
class SiteTopicProblemTest {
    private static final SiteId EAST = new SiteId("east");
    private static final List<TopicId> TOPICS =
            List.of(new TopicId(Table.INVENTORY, "one"), new TopicId(Table.STATUS, "two"));
    private static final TopicSetStatus HEALTHY = new TopicSetStatus(TOPICS, true, null, null, null, List.of());
    private static final SiteHead HEAD = SiteHead.of(EAST)
            .withReadPosition(
                    0,
                    List.of(),
                    List.of(new PartitionOffset(Table.PROGRESS, 2, 40), new PartitionOffset(Table.STATUS, 0, 9)),
                    TOPICS);

    @Test
    void aSiteWithItsTopicsHasNone() {
        assertThat(SiteTopicProblem.findProblem(EAST, HEAD, HEALTHY)).isNull();
        assertThat(SiteTopicProblem.findProblem(EAST, null, HEALTHY)).isNull();
    }

    @Test
    void aSiteWhoseTopicsAreAllGoneIsStillASite() {
        SiteTopicProblem trouble = SiteTopicProblem.findProblem(EAST, HEAD, null);
        assertThat(trouble.reason()).contains("ACLs do not allow it to see them");
        assertThat(trouble.lostTables()).isEmpty();
    }

    @Test
    void aTopicWithAnotherIdIsLost() {
        TopicSetStatus other = new TopicSetStatus(
                List.of(new TopicId(Table.STATUS, "three")), false, "one is missing", null, null, List.of());
        SiteTopicProblem trouble = SiteTopicProblem.findProblem(EAST, HEAD, other);
        assertThat(trouble.lostTables()).containsExactly(Table.STATUS);
        assertThat(trouble.reason()).isEqualTo("topic flotilla.status.east was deleted and created again");
    }

    @Test
    void aTopicWhoseFirstRecordsWereDeletedIsLost() {
        TopicSetStatus trimmed = new TopicSetStatus(TOPICS, true, null, null, null, List.of(Table.STATUS));
        SiteTopicProblem trouble = SiteTopicProblem.findProblem(EAST, HEAD, trimmed);
        assertThat(trouble.lostTables()).containsExactly(Table.STATUS);
        assertThat(trouble.reason())
                .isEqualTo("the first records of topic flotilla.status.east were deleted: create the topic again");
        SiteTopicProblem adopted = SiteTopicProblem.findProblem(EAST, HEAD.withAdoption("order"), trimmed);
        assertThat(adopted.reason()).isEqualTo(trouble.reason());
        assertThat(adopted.lostTables()).as("it ends when the topic is whole").isEmpty();
    }

    @Test
    void whatEarlierVersionsWroteIsOfNoTopicInParticular() {
        assertThat(SiteTopicProblem.findProblem(
                        EAST, HEAD.withReadPosition(0, List.of(), HEAD.offsets(), List.of()), HEALTHY))
                .isNull();
    }

    @Test
    void whatIsLostStaysLostWhateverTheTopicsAreNow() {
        SiteHead lost = HEAD.withUnreachable(Instant.EPOCH, "gone", List.of(Table.STATUS));
        assertThat(SiteTopicProblem.findProblem(EAST, lost, HEALTHY).lostTables())
                .containsExactly(Table.STATUS);
        assertThat(SiteTopicProblem.findProblem(EAST, lost.withAdoption("order"), HEALTHY))
                .isNull();
    }

    @Test
    void aTableThatEndsBeforeWhatWasReadOfItHasLostRecords() {
        TablePartition progress = new TablePartition(Table.PROGRESS, EAST, 2);
        assertThat(SiteTopicProblem.lostRecordsProblem(HEAD, Map.of(progress, 40L)))
                .isNull();
        SiteTopicProblem trouble = SiteTopicProblem.lostRecordsProblem(HEAD, Map.of(progress, 39L));
        assertThat(trouble.lostTables()).containsExactly(Table.PROGRESS);
        assertThat(trouble.reason()).isEqualTo("topic flotilla.progress.east has lost records");
    }
}
