package dev.flotilla.schemas.topic;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicCatalogueTest {
    private static final SiteId SITE = new SiteId("berlin");

    @Test
    void tableIsCompactedSoonAndKeepsTombstonesForAWeek() {
        assertThat(TopicCatalogue.settings(Table.STATUS, 3))
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        entry("cleanup.policy", "compact"),
                        entry("segment.bytes", "16777216"),
                        entry("segment.ms", "600000"),
                        entry("max.compaction.lag.ms", "600000"),
                        entry("min.compaction.lag.ms", "300000"),
                        entry("min.cleanable.dirty.ratio", "0.1"),
                        entry("delete.retention.ms", "604800000"),
                        entry("max.message.bytes", "262144"),
                        entry("message.timestamp.type", "LogAppendTime"),
                        entry("min.insync.replicas", "2"),
                        entry("unclean.leader.election.enable", "false")));
    }

    @Test
    void journalHasUnlimitedRetention() {
        assertThat(TopicCatalogue.settings(Table.JOURNAL, 3))
                .containsEntry("cleanup.policy", "delete")
                .containsEntry("retention.ms", "-1")
                .containsEntry("retention.bytes", "-1")
                .doesNotContainKey("max.compaction.lag.ms");
    }

    @Test
    void replicationNeedsThreeBrokers() {
        assertThat(TopicCatalogue.replicas(3)).isEqualTo((short) 3);
        assertThat(TopicCatalogue.replicas(2)).isEqualTo((short) 1);
        assertThat(TopicCatalogue.settings(Table.HEAD, 1)).containsEntry("min.insync.replicas", "1");
    }

    @ParameterizedTest
    @EnumSource
    void topicIsParsedFromItsName(Table table) {
        Topic topic = new Topic(table, table.isPerSite() ? SITE : null);
        assertThat(Topic.parse(topic.name())).isEqualTo(topic);
        assertThat(topic.name()).isEqualTo("flotilla." + table.label() + (table.isPerSite() ? ".berlin" : ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "flotilla.",
                "inventory.berlin",
                "flotilla.inventory",
                "flotilla.inventory.",
                "flotilla.inventory.A",
                "flotilla.inventory.fleet",
                "flotilla.inventory.a.b",
                "flotilla.campaigns.berlin",
                "flotilla.unknown"
            })
    void parsesNoTopicFromAnInvalidName(String name) {
        assertThat(Topic.parse(name)).isNull();
    }

    @Test
    void siteHasFiveTopicsAndFleetEleven() {
        assertThat(TopicCatalogue.siteTopics(SITE)).hasSize(5);
        assertThat(TopicCatalogue.fleetTopics()).hasSize(11);
    }
}
