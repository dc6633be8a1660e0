package dev.flotilla.e2e.arena;

import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.TopicReconciler;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.time.Duration;
import java.util.List;

/** Number of brokers, and which broker has which topics. */
public enum BrokerLayout {
    /** One broker has all topics. */
    ALONE(1),
    /** Each of three brokers has the fleet's topics; only the broker with the site's number has a site's topics. */
    A_BROKER_A_SITE(3),
    /** Each of three brokers has all topics, replicated as the catalogue requires. */
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
