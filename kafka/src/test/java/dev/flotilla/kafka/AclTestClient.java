package dev.flotilla.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Plain Kafka clients of one principal that try operations. */
final class AclTestClient implements AutoCloseable {
    static final byte[] KEY = "k".getBytes(StandardCharsets.UTF_8);

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final KafkaClientSettings settings;
    private final Admin admin;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;

    AclTestClient(KafkaClientSettings settings) {
        this.settings = settings;
        this.admin = Admin.create(settings.admin(PATIENCE));
        this.consumer = consumer(Map.of());
        // A producer without idempotence needs only permissions on the topic, so that it continues after a failure.
        this.producer = producer(Map.of("enable.idempotence", false));
    }

    Set<String> listTopicNames() throws Exception {
        return admin.listTopics().names().get(20, TimeUnit.SECONDS);
    }

    boolean canDescribe(String topic) throws Exception {
        try {
            admin.describeTopics(List.of(topic)).allTopicNames().get(20, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            return isAuthorizationFailure(e);
        }
    }

    /** Whether the principal can read a topic, which must have a record. */
    boolean canRead(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        consumer.assign(List.of(partition));
        consumer.seek(partition, 0);
        Instant end = Instant.now().plus(PATIENCE);
        try {
            while (Instant.now().isBefore(end)) {
                if (!consumer.poll(Duration.ofMillis(200)).isEmpty()) {
                    return true;
                }
            }
        } catch (AuthorizationException e) {
            return false;
        }
        throw new AssertionError("neither records nor a refusal from " + topic);
    }

    boolean canWrite(String topic) throws Exception {
        try {
            producer.send(new ProducerRecord<>(topic, 0, KEY, KEY)).get(20, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            return isAuthorizationFailure(e);
        }
    }

    /** Whether it can join a group. It subscribes to a pattern, so that no missing permission on a topic fails first. */
    boolean canJoinGroup(String group) {
        Instant end = Instant.now().plus(PATIENCE);
        try (KafkaConsumer<byte[], byte[]> member =
                consumer(Map.of("group.id", group, "group.protocol", "classic", "session.timeout.ms", 6000))) {
            member.subscribe(Pattern.compile("flotilla\\..*"));
            while (Instant.now().isBefore(end)) {
                member.poll(Duration.ofMillis(100));
                if (!member.assignment().isEmpty()) {
                    return true;
                }
            }
        } catch (GroupAuthorizationException e) {
            return false;
        }
        throw new AssertionError("neither a member of " + group + " nor refused");
    }

    /** Whether it may see the members of a group. */
    boolean canSeeMembers(String group) {
        try (TopicStateReader groups = TopicStateReader.connect(settings, PATIENCE)) {
            groups.readMembers(group);
            return true;
        } catch (KafkaFailure failure) {
            assertThat(failure.kind()).isEqualTo(KafkaFailure.Kind.NOT_ALLOWED);
            return false;
        }
    }

    /** Whether it can use a transactional id. */
    boolean canUseTransactionalId(String id) {
        try (KafkaProducer<byte[], byte[]> writer = producer(Map.of("transactional.id", id))) {
            writer.initTransactions();
            return true;
        } catch (TransactionalIdAuthorizationException e) {
            return false;
        }
    }

    KafkaProducer<byte[], byte[]> producer(Map<String, Object> own) {
        return new KafkaProducer<>(settings.producer(own), new ByteArraySerializer(), new ByteArraySerializer());
    }

    Admin admin() {
        return admin;
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        consumer.close();
        admin.close(Duration.ZERO);
    }

    private KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> own) {
        return new KafkaConsumer<>(settings.consumer(own), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static boolean isAuthorizationFailure(ExecutionException e) throws ExecutionException {
        if (e.getCause() instanceof AuthorizationException) {
            return false;
        }
        throw e;
    }
}
