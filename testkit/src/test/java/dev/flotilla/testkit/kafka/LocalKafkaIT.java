package dev.flotilla.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalKafkaIT {
    @TempDir
    Path folder;

    @Test
    void brokerServesAndItsTemporaryFolderIsDeleted() throws Exception {
        Path data;
        try (LocalKafka kafka = LocalKafka.start()) {
            data = kafka.folder();
            createTopic(kafka.bootstrap(), 1);
            assertThat(topics(kafka.bootstrap())).containsExactly("t");
        }
        assertThat(data).doesNotExist();
    }

    @Test
    void restartKeepsPortsAndData() throws Exception {
        try (LocalKafka kafka = LocalKafka.start(KafkaOptions.defaults().withFolder(folder))) {
            String before = kafka.bootstrap();
            createTopic(before, 1);
            kafka.restart();
            assertThat(kafka.bootstrap()).isEqualTo(before);
            assertThat(topics(before)).containsExactly("t");
        }
        assertThat(folder).isNotEmptyDirectory();
    }

    @Test
    void threeBrokersReplicateToEachOther() throws Exception {
        try (LocalKafka kafka = LocalKafka.start(KafkaOptions.defaults().withBrokers(3))) {
            createTopic(kafka.bootstrap(), 3);
            assertThat(topics(kafka.bootstrap())).containsExactly("t");
        }
    }

    @Test
    void authorizerAcceptsTheSuperUserOnly() throws Exception {
        KafkaOptions options = KafkaOptions.defaults()
                .withListeners(BrokerListener.SCRAM, BrokerListener.MUTUAL_TLS)
                .withAuthorizer()
                .withScramUser("anna", "secret");
        try (LocalKafka kafka = LocalKafka.start(options);
                Admin admin = Admin.create(kafka.superUser())) {
            admin.createTopics(List.of(new NewTopic("t", Optional.of(1), Optional.empty())))
                    .all()
                    .get(30, TimeUnit.SECONDS);
            assertThat(admin.describeUserScramCredentials().users().get(30, TimeUnit.SECONDS))
                    .containsExactly("anna");
        }
    }

    private static void createTopic(String bootstrap, int replicas) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic("t", 1, (short) replicas)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private static Set<String> topics(String bootstrap) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            return admin.listTopics().names().get(30, TimeUnit.SECONDS);
        }
    }
}
