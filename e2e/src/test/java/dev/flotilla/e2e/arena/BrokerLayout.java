package dev.flotilla.e2e.arena;

import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.runtime.kafka.TopicReconciler;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.time.Duration;
import java.util.List;

/** How many brokers there are, and which topics lie with which of them. */
public enum BrokerLayout {
    /** One has everything. */
    ALONE(1),
    /** Of three, each has the fleet's topics, and one alone a site's: a site goes away with the broker of its number. */
    A_BROKER_A_SITE(3),
    /** Each of three has everything, as the catalogue wants it. */
    REPLICATED(3);

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final int brokers;

    BrokerLayout(int brokers) {
        this.brokers = brokers;
    }

    int brokers() {
        return brokers;
    }

    void createTopics(String bootstrap, List<SiteId> sites) throws InterruptedException {
        if (this == A_BROKER_A_SITE) {
            SiteTopicCreator.createTopics(bootstrap, sites);
            return;
        }
        try (TopicReconciler keeper =
                TopicReconciler.connect(KafkaClientSettings.forLocalBroker(bootstrap), DEADLINE)) {
            keeper.create(TopicCatalogue.fleetTopics());
            sites.forEach(site -> keeper.create(TopicCatalogue.siteTopics(site)));
        }
    }
}
