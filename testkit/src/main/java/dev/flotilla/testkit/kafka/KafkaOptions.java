package dev.flotilla.testkit.kafka;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What kind of Kafka to start.
 *
 * @param brokers 1 or 3, each broker and controller at once
 * @param doors the listeners for clients
 * @param folder where the data lies, kept at close; null for a temporary one that is deleted
 * @param port of the first door of the first broker; 0 for a free one
 * @param superUsers names that may do everything, for which alone the authorizer is not asked; empty: no authorizer
 * @param scramUsers passwords by user, known from the first start in a folder
 * @param features levels of features that differ from what the release has by itself
 * @param properties of the broker, over the ones of the test bed
 */
public record KafkaOptions(
        int brokers,
        Set<BrokerListener> doors,
        @Nullable Path folder,
        int port,
        List<String> superUsers,
        Map<String, String> scramUsers,
        Map<String, Short> features,
        Map<String, String> properties) {

    private static final KafkaOptions DEFAULTS =
            new KafkaOptions(1, EnumSet.of(BrokerListener.PLAINTEXT), null, 0, List.of(), Map.of(), Map.of(), Map.of());

    public KafkaOptions {
        if (brokers != 1 && brokers != 3) {
            throw new IllegalArgumentException("brokers are 1 or 3, not " + brokers);
        }
        if (doors.isEmpty()) {
            throw new IllegalArgumentException("a broker without a door is of no use");
        }
        doors = EnumSet.copyOf(doors);
    }

    /** One broker, open to anybody on this machine, with a temporary folder. */
    public static KafkaOptions defaults() {
        return DEFAULTS;
    }

    public KafkaOptions withBrokers(int count) {
        return new KafkaOptions(count, doors, folder, port, superUsers, scramUsers, features, properties);
    }

    public KafkaOptions withDoors(BrokerListener first, BrokerListener... others) {
        return new KafkaOptions(
                brokers, EnumSet.of(first, others), folder, port, superUsers, scramUsers, features, properties);
    }

    public KafkaOptions withFolder(Path kept) {
        return new KafkaOptions(brokers, doors, kept, port, superUsers, scramUsers, features, properties);
    }

    public KafkaOptions withPort(int fixed) {
        return new KafkaOptions(brokers, doors, folder, fixed, superUsers, scramUsers, features, properties);
    }

    /** Kafka's own authorizer decides, and nothing is allowed that no ACL allows, but to these. */
    public KafkaOptions withAuthorizer(String... supers) {
        Set<String> all = new LinkedHashSet<>(List.of(supers));
        all.add(BrokerProperties.BROKER_NAME);
        return new KafkaOptions(brokers, doors, folder, port, List.copyOf(all), scramUsers, features, properties);
    }

    public KafkaOptions withScramUser(String user, String password) {
        return new KafkaOptions(
                brokers, doors, folder, port, superUsers, with(scramUsers, user, password), features, properties);
    }

    public KafkaOptions withFeature(String feature, int level) {
        return new KafkaOptions(
                brokers,
                doors,
                folder,
                port,
                superUsers,
                scramUsers,
                with(features, feature, (short) level),
                properties);
    }

    public KafkaOptions withProperty(String key, String value) {
        return new KafkaOptions(
                brokers, doors, folder, port, superUsers, scramUsers, features, with(properties, key, value));
    }

    boolean hasAuthorizer() {
        return !superUsers.isEmpty();
    }

    private static <T> Map<String, T> with(Map<String, T> map, String key, T value) {
        Map<String, T> more = new LinkedHashMap<>(map);
        more.put(key, value);
        return Map.copyOf(more);
    }
}
