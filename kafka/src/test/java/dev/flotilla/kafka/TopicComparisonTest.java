package dev.flotilla.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.flotilla.kafka.TopicDrift.DriftSeverity;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TopicComparisonTest {
    @ParameterizedTest
    @EnumSource
    void findsNoDriftInCatalogueSettings(Table table) {
        TopicComparison.ActualTopic actualTopic =
                new TopicComparison.ActualTopic(table.partitions(), 3, TopicCatalogue.settings(table, 3));
        assertThat(TopicComparison.findDrifts(topic(table), actualTopic, 3)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "ORDERS,  cleanup.policy,                 delete,         COULD_LOSE_DATA,  true",
        "ORDERS,  cleanup.policy,                 'compact,delete', COULD_LOSE_DATA, true",
        "JOURNAL, cleanup.policy,                 compact,        COULD_LOSE_DATA,  true",
        "JOURNAL, retention.ms,                   604800000,      COULD_LOSE_DATA,  true",
        "JOURNAL, retention.bytes,                1073741824,     COULD_LOSE_DATA,  true",
        "ORDERS,  min.insync.replicas,            1,              COULD_LOSE_DATA,  true",
        "ORDERS,  min.insync.replicas,            3,              MERELY_DIFFERENT, false",
        "ORDERS,  unclean.leader.election.enable, true,           COULD_LOSE_DATA,  true",
        "ORDERS,  delete.retention.ms,            86400000,       COULD_LOSE_DATA,  true",
        "ORDERS,  delete.retention.ms,            864000000,      MERELY_DIFFERENT, false",
        "ORDERS,  max.message.bytes,              1024,           COULD_LOSE_DATA,  true",
        "ORDERS,  max.message.bytes,              1048588,        MERELY_DIFFERENT, false",
        "ORDERS,  message.timestamp.type,         CreateTime,     MERELY_DIFFERENT, true",
        "ORDERS,  segment.bytes,                  1073741824,     MERELY_DIFFERENT, true"
    })
    void classifiesDriftOfASetting(
            Table table, String setting, String is, DriftSeverity driftSeverity, boolean mendable) {
        Map<String, String> settings = new HashMap<>(TopicCatalogue.settings(table, 3));
        String shouldBe = settings.put(setting, is);
        List<TopicDrift> drifts = TopicComparison.findDrifts(
                topic(table), new TopicComparison.ActualTopic(table.partitions(), 3, settings), 3);
        assertThat(drifts)
                .extracting(
                        TopicDrift::setting,
                        TopicDrift::actual,
                        TopicDrift::expected,
                        TopicDrift::severity,
                        TopicDrift::fixable)
                .containsExactly(tuple(setting, is, shouldBe, driftSeverity, mendable));
        assertThat(drifts.getFirst().remedy()).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource({
        "2, 3, partitions,         COULD_LOSE_DATA",
        "1, 1, replication.factor, COULD_LOSE_DATA",
        "1, 5, replication.factor, MERELY_DIFFERENT"
    })
    void doesNotFixPartitionsOrReplicas(int partitions, int replicas, String setting, DriftSeverity driftSeverity) {
        TopicComparison.ActualTopic actualTopic =
                new TopicComparison.ActualTopic(partitions, replicas, TopicCatalogue.settings(Table.ORDERS, 3));
        assertThat(TopicComparison.findDrifts(topic(Table.ORDERS), actualTopic, 3))
                .extracting(TopicDrift::setting, TopicDrift::severity, TopicDrift::fixable)
                .containsExactly(tuple(setting, driftSeverity, false));
    }

    @Test
    void missingTopicCouldLoseData() {
        assertThat(TopicComparison.missingTopicDrift(topic(Table.ORDERS)).severity())
                .isEqualTo(DriftSeverity.COULD_LOSE_DATA);
    }

    private static Topic topic(Table table) {
        return table.isPerSite() ? new Topic(table, new SiteId("a")) : Topic.of(table);
    }
}
