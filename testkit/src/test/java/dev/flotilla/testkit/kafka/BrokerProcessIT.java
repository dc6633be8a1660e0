package dev.flotilla.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerProcessIT {
    @TempDir
    Path folder;

    @Test
    void killedBrokerRestartsOnItsData() throws Exception {
        try (BrokerProcess broker = BrokerProcess.singleBroker(folder, Map.of()).start()) {
            createTopic(broker.bootstrap(), 1);
            broker.kill();
            assertThat(broker.isAlive()).isFalse();
            broker.start();
            assertThat(topics(broker.bootstrap(), 30_000)).containsExactly("t");
        }
    }

    @Test
    void suspendedBrokerAnswersNothingUntilItResumes() throws Exception {
        try (BrokerProcess broker = BrokerProcess.singleBroker(folder, Map.of()).start()) {
            createTopic(broker.bootstrap(), 1);
            broker.suspend();
            assertThatThrownBy(() -> topics(broker.bootstrap(), 1_000)).hasCauseInstanceOf(TimeoutException.class);
            broker.resume();
            assertThat(topics(broker.bootstrap(), 30_000)).containsExactly("t");
        }
    }

    @Test
    @Tag("nightly")
    void quorumOfThreeSurvivesTheLossOfOne() throws Exception {
        List<BrokerProcess> brokers = BrokerProcess.quorum(3, folder, Map.of("broker.session.timeout.ms", "3000"));
        try {
            BrokerProcess.startAll(brokers);
            createTopic(brokers.get(0).bootstrap(), 3);
            brokers.get(0).kill();
            assertThat(topics(brokers.get(1).bootstrap(), 30_000)).containsExactly("t");
        } finally {
            brokers.forEach(BrokerProcess::close);
        }
    }

    @Test
    void brokerThatCannotListenEndsWithItsError() throws Exception {
        BrokerProcess broker = BrokerProcess.singleBroker(folder, Map.of());
        String[] address = broker.bootstrap().split(":", -1);
        try (broker;
                ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(address[0], Integer.parseInt(address[1])));
            assertThatThrownBy(broker::start).hasMessageContaining("Address already in use");
        }
    }

    private static void createTopic(String bootstrap, int replicas) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic("t", 1, (short) replicas)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private static Set<String> topics(String bootstrap, int timeout) throws ExecutionException, Exception {
        try (Admin admin = Admin.create(Map.of(
                "bootstrap.servers", bootstrap, "default.api.timeout.ms", timeout, "request.timeout.ms", timeout))) {
            return admin.listTopics().names().get(60, TimeUnit.SECONDS);
        }
    }
}
