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
 * The whole real Apache Kafka in this JVM, as brokers that are controllers too.
 *
 * <p>A broker that must be killed or stopped is a {@link BrokerProcess}: in one JVM everybody would die with it.
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
                .mapToObj(id -> BrokerNode.free(id, data.path().resolve("broker-" + id), options.doors()))
                .map(node -> node.id() == 1 && options.port() != 0 ? node.withPort(options.port()) : node)
                .toList();
        this.authority = CertificateAuthority.create("flotilla-testkit");
        String voters = nodes.stream().map(BrokerNode::voter).collect(Collectors.joining(","));
        this.properties = nodes.stream()
                .map(node -> BrokerProperties.of(options, node, voters, authority))
                .toList();
    }

    /** One broker, open to anybody on this machine. */
    public static LocalKafka start() {
        return start(KafkaOptions.defaults());
    }

    public static LocalKafka start(KafkaOptions options) {
        LocalKafka kafka = new LocalKafka(options);
        kafka.up();
        return kafka;
    }

    /** Stops all brokers and starts them again, on the same ports and data. */
    public void restart() {
        down();
        up();
    }

    /** The bootstrap servers of the first door. */
    public String bootstrap() {
        return bootstrap(options.doors().iterator().next());
    }

    public String bootstrap(BrokerListener brokerListener) {
        return servers(node -> {
            Integer port = node.doors().get(brokerListener);
            if (port == null) {
                throw new IllegalArgumentException("door " + brokerListener + " is not open, only " + options.doors());
            }
            return port;
        });
    }

    /** Client properties of one who may do everything, whatever the doors and the ACLs. */
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

    /** Who certifies the brokers, and the clients that come through {@link BrokerListener#MUTUAL_TLS}. */
    public CertificateAuthority authority() {
        return authority;
    }

    /** Where the data lies; the test may put its own files there too. */
    public Path folder() {
        return data.path();
    }

    @Override
    public void close() {
        down();
        data.close();
    }

    private String servers(ToIntFunction<BrokerNode> port) {
        return nodes.stream()
                .map(node -> BrokerNode.HOST + ":" + port.applyAsInt(node))
                .collect(Collectors.joining(","));
    }

    private void up() {
        try {
            brokers = together(properties.stream()
                    .<Supplier<InProcessBroker>>map(each -> () -> InProcessBroker.start(each, options))
                    .toList());
        } catch (RuntimeException e) {
            data.close();
            throw e;
        }
    }

    private void down() {
        together(brokers.stream()
                .<Supplier<InProcessBroker>>map(inProcessBroker -> () -> {
                    inProcessBroker.close();
                    return inProcessBroker;
                })
                .toList());
        brokers = List.of();
    }

    /** At once, since a broker of three starts only when it sees another. */
    private static List<InProcessBroker> together(List<Supplier<InProcessBroker>> tasks) {
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
