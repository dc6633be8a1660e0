package dev.flotilla.e2e.arena;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** Creates topics on three brokers, with each site's topics on only one of them. */
final class SiteTopicCreator {
    private static final int BROKERS = 3;

    private SiteTopicCreator() {}

    static void createTopics(String bootstrap, List<SiteId> sites) throws InterruptedException {
        List<NewTopic> wanted = new ArrayList<>();
        for (Topic topic : TopicCatalogue.fleetTopics()) {
            wanted.add(on(List.of(1, 2, 3), topic).configs(TopicCatalogue.settings(topic.table(), BROKERS)));
        }
        for (int i = 0; i < sites.size(); i++) {
            for (Topic topic : TopicCatalogue.siteTopics(sites.get(i))) {
                wanted.add(on(List.of(1 + i % BROKERS), topic).configs(TopicCatalogue.settings(topic.table(), 1)));
            }
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(wanted).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("creating topics at " + bootstrap, e);
        }
    }

    private static NewTopic on(List<Integer> brokers, Topic topic) {
        Map<Integer, List<Integer>> replicas = new HashMap<>();
        for (int partition = 0; partition < topic.table().partitions(); partition++) {
            replicas.put(partition, brokers);
        }
        return new NewTopic(topic.name(), replicas);
    }
}
