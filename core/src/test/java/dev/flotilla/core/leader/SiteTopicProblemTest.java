package dev.flotilla.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the problems of a site's topics that follow from its head row and the broker's description. */
class SiteTopicProblemTest {
    private static final SiteId EAST = new SiteId("east");
    private static final List<TopicId> TOPICS =
            List.of(new TopicId(Table.INVENTORY, "one"), new TopicId(Table.STATUS, "two"));
    private static final SiteTopicProblem.SiteTopics HEALTHY = new SiteTopicProblem.SiteTopics(TOPICS, List.of(), null);
    private static final SiteHead HEAD = SiteHead.of(EAST)
            .withReadPosition(
                    0,
                    List.of(),
                    List.of(new PartitionOffset(Table.PROGRESS, 2, 40), new PartitionOffset(Table.STATUS, 0, 9)),
                    TOPICS);

    @Test
    void hasNoProblemWhenAllTopicsExist() {
        assertThat(SiteTopicProblem.findProblem(EAST, HEAD, HEALTHY)).isNull();
        assertThat(SiteTopicProblem.findProblem(EAST, null, HEALTHY)).isNull();
    }

    @Test
    void reportsASiteWhoseTopicsWereAllDeleted() {
        SiteTopicProblem problem = SiteTopicProblem.findProblem(EAST, HEAD, null);
        assertThat(problem.reason()).contains("ACLs do not allow it to see them");
        assertThat(problem.lostTables()).isEmpty();
    }

    @Test
    void reportsARecreatedTopicAsLost() {
        SiteTopicProblem.SiteTopics other = new SiteTopicProblem.SiteTopics(
                List.of(new TopicId(Table.STATUS, "three")), List.of(), "one is missing");
        SiteTopicProblem problem = SiteTopicProblem.findProblem(EAST, HEAD, other);
        assertThat(problem.lostTables()).containsExactly(Table.STATUS);
        assertThat(problem.reason()).isEqualTo("topic flotilla.status.east was deleted and created again");
    }

    @Test
    void reportsATruncatedTopicAsLost() {
        SiteTopicProblem.SiteTopics truncated = new SiteTopicProblem.SiteTopics(TOPICS, List.of(Table.STATUS), null);
        SiteTopicProblem problem = SiteTopicProblem.findProblem(EAST, HEAD, truncated);
        assertThat(problem.lostTables()).containsExactly(Table.STATUS);
        assertThat(problem.reason())
                .isEqualTo("the first records of topic flotilla.status.east were deleted: create the topic again");
        SiteTopicProblem adopted = SiteTopicProblem.findProblem(EAST, HEAD.withAdoption("order"), truncated);
        assertThat(adopted.reason()).isEqualTo(problem.reason());
        assertThat(adopted.lostTables()).as("it ends when the topic is whole").isEmpty();
    }

    @Test
    void acceptsHeadRowsWithoutTopicIds() {
        assertThat(SiteTopicProblem.findProblem(
                        EAST, HEAD.withReadPosition(0, List.of(), HEAD.offsets(), List.of()), HEALTHY))
                .isNull();
    }

    @Test
    void keepsLostTablesUntilAdoption() {
        SiteHead lost = HEAD.withUnreachable(Instant.EPOCH, "gone", List.of(Table.STATUS));
        assertThat(SiteTopicProblem.findProblem(EAST, lost, HEALTHY).lostTables())
                .containsExactly(Table.STATUS);
        assertThat(SiteTopicProblem.findProblem(EAST, lost.withAdoption("order"), HEALTHY))
                .isNull();
    }

    @Test
    void reportsATableThatEndsBeforeItsReadOffset() {
        TablePartition progress = new TablePartition(Table.PROGRESS, EAST, 2);
        assertThat(SiteTopicProblem.findLostRecords(HEAD, Map.of(progress, 40L)))
                .isNull();
        SiteTopicProblem problem = SiteTopicProblem.findLostRecords(HEAD, Map.of(progress, 39L));
        assertThat(problem.lostTables()).containsExactly(Table.PROGRESS);
        assertThat(problem.reason()).isEqualTo("topic flotilla.progress.east has lost records");
    }
}
