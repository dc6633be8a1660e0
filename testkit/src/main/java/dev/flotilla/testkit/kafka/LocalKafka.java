package dev.flotilla.testkit.kafka;

import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Real Apache Kafka in this JVM, with brokers that are also controllers.
 *
 * <p>A broker that must be killed or suspended is a {@link BrokerProcess}, because killing this JVM would end the test
 * too.
 */
public final class LocalKafka implements AutoCloseable {
    private final KafkaOptions options;
    private final BrokerDataFolder data;
    private final List<BrokerNode> nodes;
    private final CertificateAuthority authority;
    private final List<Map<String, String>> properties;
    private List<InProcessBroker> brokers = List.of();

    private LocalKafka(KafkaOptions options) {
        this.options = options;
        this.data = BrokerDataFolder.of(options.folder());
        this.nodes = IntStream.rangeClosed(1, options.brokers())
                .mapToObj(id -> BrokerNode.free(id, data.path().resolve("broker-" + id), options.listeners()))
                .toList();
        this.authority = CertificateAuthority.create("flotilla-testkit");
        String voters = nodes.stream().map(BrokerNode::voter).collect(Collectors.joining(","));
        this.properties = nodes.stream()
                .map(node -> BrokerProperties.of(options, node, voters, authority))
                .toList();
    }

    /** Starts one broker without authentication. */
    public static LocalKafka start() {
        return start(KafkaOptions.defaults());
    }

    public static LocalKafka start(KafkaOptions options) {
        LocalKafka kafka = new LocalKafka(options);
        kafka.startBrokers();
        return kafka;
    }

    /** Stops all brokers and starts them again, on the same ports and data. */
    public void restart() {
        stopBrokers();
        startBrokers();
    }

    /** The bootstrap servers of the first listener. */
    public String bootstrap() {
        return bootstrap(options.listeners().iterator().next());
    }

    public String bootstrap(BrokerListener brokerListener) {
        return servers(node -> {
            Integer port = node.listeners().get(brokerListener);
            if (port == null) {
                throw new IllegalArgumentException(
                        "listener " + brokerListener + " is not configured, only " + options.listeners());
            }
            return port;
        });
    }

    /** Client properties of a super user, with any listeners and ACLs. */
    public Map<String, Object> superUser() {
        Map<String, Object> client = new LinkedHashMap<>();
        client.put("bootstrap.servers", servers(BrokerNode::internal));
        if (options.hasAuthorizer()) {
            KeyAndCertificate broker = authority.issue(BrokerProperties.BROKER_NAME);
            client.put("security.protocol", "SSL");
            client.put("ssl.truststore.type", "PEM");
            client.put("ssl.truststore.certificates", authority.certificate());
            client.put("ssl.keystore.type", "PEM");
            client.put("ssl.keystore.key", broker.key());
            client.put("ssl.keystore.certificate.chain", broker.certificate());
        }
        return client;
    }

    /** The authority for the brokers' certificates, and for those of clients of {@link BrokerListener#MUTUAL_TLS}. */
    public CertificateAuthority authority() {
        return authority;
    }

    /** The data folder; the test may put its own files there. */
    public Path folder() {
        return data.path();
    }

    @Override
    public void close() {
        stopBrokers();
        data.close();
    }

    private String servers(ToIntFunction<BrokerNode> port) {
        return nodes.stream()
                .map(node -> BrokerNode.HOST + ":" + port.applyAsInt(node))
                .collect(Collectors.joining(","));
    }

    private void startBrokers() {
        try {
            brokers = runInParallel(properties.stream()
                    .<Supplier<InProcessBroker>>map(config -> () -> InProcessBroker.start(config, options))
                    .toList());
        } catch (RuntimeException e) {
            data.close();
            throw e;
        }
    }

    private void stopBrokers() {
        runInParallel(brokers.stream()
                .<Supplier<InProcessBroker>>map(inProcessBroker -> () -> {
                    inProcessBroker.close();
                    return inProcessBroker;
                })
                .toList());
        brokers = List.of();
    }

    /** Starts all brokers in parallel, because one of three only starts when it sees another. */
    private static List<InProcessBroker> runInParallel(List<Supplier<InProcessBroker>> tasks) {
        if (tasks.isEmpty()) {
            return List.of();
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
            List<CompletableFuture<InProcessBroker>> running = new ArrayList<>();
            tasks.forEach(task -> running.add(CompletableFuture.supplyAsync(task, threads)));
            return running.stream().map(CompletableFuture::join).toList();
        }
    }
}
