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
 * Options of a Kafka cluster.
 *
 * @param brokers 1 or 3, each a broker and a controller
 * @param listeners the listeners for clients
 * @param folder the data folder, kept at close; null for a temporary one that is deleted
 * @param superUsers names that may do everything; if empty, there is no authorizer
 * @param scramUsers passwords by user, created at the first start in a folder
 * @param features feature levels that differ from the release's defaults
 * @param properties of the brokers, which override those of the test bed
 */
public record KafkaOptions(
        int brokers,
        Set<BrokerListener> listeners,
        @Nullable Path folder,
        List<String> superUsers,
        Map<String, String> scramUsers,
        Map<String, Short> features,
        Map<String, String> properties) {

    private static final KafkaOptions DEFAULTS =
            new KafkaOptions(1, EnumSet.of(BrokerListener.PLAINTEXT), null, List.of(), Map.of(), Map.of(), Map.of());

    public KafkaOptions {
        if (brokers != 1 && brokers != 3) {
            throw new IllegalArgumentException("the number of brokers must be 1 or 3, not " + brokers);
        }
        if (listeners.isEmpty()) {
            throw new IllegalArgumentException("a broker needs at least one listener");
        }
        listeners = EnumSet.copyOf(listeners);
    }

    /** One broker without authentication, with a temporary folder. */
    public static KafkaOptions defaults() {
        return DEFAULTS;
    }

    public KafkaOptions withBrokers(int count) {
        return new KafkaOptions(count, listeners, folder, superUsers, scramUsers, features, properties);
    }

    public KafkaOptions withListeners(BrokerListener first, BrokerListener... others) {
        return new KafkaOptions(
                brokers, EnumSet.of(first, others), folder, superUsers, scramUsers, features, properties);
    }

    public KafkaOptions withFolder(Path kept) {
        return new KafkaOptions(brokers, listeners, kept, superUsers, scramUsers, features, properties);
    }

    /** Uses Kafka's own authorizer: everything needs an ACL, except for these super users. */
    public KafkaOptions withAuthorizer(String... supers) {
        Set<String> all = new LinkedHashSet<>(List.of(supers));
        all.add(BrokerProperties.BROKER_NAME);
        return new KafkaOptions(brokers, listeners, folder, List.copyOf(all), scramUsers, features, properties);
    }

    public KafkaOptions withScramUser(String user, String password) {
        return new KafkaOptions(
                brokers, listeners, folder, superUsers, with(scramUsers, user, password), features, properties);
    }

    public KafkaOptions withFeature(String feature, int level) {
        return new KafkaOptions(
                brokers, listeners, folder, superUsers, scramUsers, with(features, feature, (short) level), properties);
    }

    public KafkaOptions withProperty(String key, String value) {
        return new KafkaOptions(
                brokers, listeners, folder, superUsers, scramUsers, features, with(properties, key, value));
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
