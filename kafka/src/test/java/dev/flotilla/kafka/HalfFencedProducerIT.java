package dev.flotilla.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.flotilla.testkit.kafka.LocalKafka;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** The moment in which the broker has ended a producer's transaction, and no other producer has begun. */
class HalfFencedProducerIT {
    private static final String ID = "half-fenced";

    @Test
    void commitOfAnAbortedTransactionIsFenced() throws Exception {
        try (LocalKafka kafka = LocalKafka.start();
                Admin admin = Admin.create(kafka.superUser());
                KafkaProducer<String, String> producer = openProducer(kafka)) {
            admin.createTopics(List.of(new NewTopic("rows", 1, (short) 1)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("rows", "key", "value")).get(20, TimeUnit.SECONDS);
            while (readState(admin) != TransactionState.COMPLETE_ABORT) {
                assertThat(readState(admin))
                        .isIn(
                                TransactionState.ONGOING,
                                TransactionState.PREPARE_EPOCH_FENCE,
                                TransactionState.PREPARE_ABORT,
                                TransactionState.COMPLETE_ABORT);
            }
            KafkaException thrown = catchThrowableOfType(KafkaException.class, producer::commitTransaction);
            assertThat(thrown).hasStackTraceContaining(InvalidTxnStateException.class.getSimpleName());
            assertThat(KafkaFailure.of("commit", thrown).kind()).isEqualTo(KafkaFailure.Kind.FENCED);
            producer.close(Duration.ZERO);
        }
    }

    private static TransactionState readState(Admin admin) throws Exception {
        return admin.describeTransactions(List.of(ID))
                .description(ID)
                .get(20, TimeUnit.SECONDS)
                .state();
    }

    /** The broker aborts its transaction soon, as it does for a producer that fences this one. */
    private static KafkaProducer<String, String> openProducer(LocalKafka kafka) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrap());
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, ID);
        settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 100);
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }
}
