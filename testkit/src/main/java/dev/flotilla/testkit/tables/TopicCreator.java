package dev.flotilla.testkit.tables;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creates the topics of a fleet with the settings of the catalogue. */
public final class TopicCreator {
    private static final int BROKERS = 1;
    private static final int TIMEOUT_SECONDS = 30;

    private TopicCreator() {}

    /** Creates missing topics, in a Kafka cluster of one broker. */
    public static void createTopics(String bootstrap, Collection<SiteId> sites) throws InterruptedException {
        List<Topic> topics = new ArrayList<>(TopicCatalogue.fleetTopics());
        sites.forEach(site -> topics.addAll(TopicCatalogue.siteTopics(site)));
        List<NewTopic> wanted = topics.stream().map(TopicCreator::of).toList();
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap))) {
            for (KafkaFuture<Void> created : admin.createTopics(wanted).values().values()) {
                await(created, bootstrap);
            }
        }
    }

    /** Deletes a topic with its records. */
    public static void delete(String bootstrap, Topic topic) throws InterruptedException {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap))) {
            await(admin.deleteTopics(List.of(topic.name())).all(), bootstrap);
        }
    }

    private static void await(KafkaFuture<Void> future, String bootstrap) throws InterruptedException {
        try {
            future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new IllegalStateException("topics could not be created or deleted at " + bootstrap, e);
            }
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "topics were not created or deleted within " + TIMEOUT_SECONDS + " s at " + bootstrap, e);
        }
    }

    private static NewTopic of(Topic topic) {
        return new NewTopic(topic.name(), topic.table().partitions(), TopicCatalogue.replicas(BROKERS))
                .configs(TopicCatalogue.settings(topic.table(), BROKERS));
    }
}
