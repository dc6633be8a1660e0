package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.json.tree.JsonValue;

/** Statistics of the simulated processes, their nodes, and the exchange with Kafka, as JSON. */
final class SitesStatisticsJson {
    private final SitesWorld world;
    private final TopicImporter topicImporter;
    private final TopicExporter topicExporter;

    SitesStatisticsJson(SitesWorld world, TopicImporter topicImporter, TopicExporter topicExporter) {
        this.world = world;
        this.topicImporter = topicImporter;
        this.topicExporter = topicExporter;
    }

    JsonValue stats() {
        return world.nodes()
                .statisticsJson()
                .put("unreadableRows", topicImporter.unreadableRecords())
                .put("unwrittenRows", topicExporter.open())
                .build();
    }
}
