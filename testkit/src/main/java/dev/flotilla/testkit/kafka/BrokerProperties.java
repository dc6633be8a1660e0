package dev.flotilla.testkit.kafka;

import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of one broker of the test bed. */
final class BrokerProperties {
    /** The principal that brokers use among themselves if there is an authorizer. */
    static final String BROKER_NAME = "broker";

    static final String INTERNAL = "INTERNAL";
    static final String CONTROLLER = "CONTROLLER";

    private final Map<String, String> properties = new LinkedHashMap<>();
    private final KafkaOptions options;
    private final @Nullable CertificateAuthority authority;

    private BrokerProperties(KafkaOptions options, @Nullable CertificateAuthority authority) {
        this.options = options;
        this.authority = authority;
    }

    /**
     * The properties of one node.
     *
     * @param voters of the controller quorum
     * @param authority for TLS listeners, and for brokers among themselves if there is an authorizer; null if neither
     *     is used
     */
    static Map<String, String> of(
            KafkaOptions options, BrokerNode node, String voters, @Nullable CertificateAuthority authority) {
        BrokerProperties created = new BrokerProperties(options, authority);
        created.addNode(node, voters);
        created.addListeners(node);
        created.useFewResources();
        created.addReplication(options.brokers());
        if (options.hasAuthorizer()) {
            created.addAuthorizer();
        }
        created.properties.putAll(options.properties());
        return created.properties;
    }

    private void addNode(BrokerNode node, String voters) {
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", Integer.toString(node.id()));
        properties.put("controller.quorum.voters", voters);
        properties.put("log.dirs", node.folder().toString());
        properties.put("server.max.startup.time.ms", "60000");
    }

    private void addListeners(BrokerNode node) {
        List<String> listeners = new ArrayList<>();
        List<String> protocols = new ArrayList<>();
        node.listeners().forEach((brokerListener, port) -> {
            listeners.add(listener(brokerListener.name(), port));
            protocols.add(brokerListener.name() + ":" + brokerListener.protocol());
            if (brokerListener.isEncrypted()) {
                addCertificates(brokerListener.prefix(), brokerListener.clientCertificate());
            }
        });
        // The brokers' own listeners are separate from the clients'. With an authorizer they only accept a certificate
        // of our authority with the brokers' name, so no client becomes a super user through another listener.
        String internalProtocol = options.hasAuthorizer() ? "SSL" : "PLAINTEXT";
        listeners.add(listener(INTERNAL, node.internal()));
        String advertised = String.join(",", listeners);
        listeners.add(listener(CONTROLLER, node.controller()));
        protocols.add(INTERNAL + ":" + internalProtocol);
        protocols.add(CONTROLLER + ":" + internalProtocol);
        if (options.hasAuthorizer()) {
            addCertificates("listener.name.internal.", "required");
            addCertificates("listener.name.controller.", "required");
        }
        if (node.listeners().containsKey(BrokerListener.SCRAM)) {
            properties.put("sasl.enabled.mechanisms", "SCRAM-SHA-512");
            properties.put(
                    BrokerListener.SCRAM.prefix() + "scram-sha-512.sasl.jaas.config",
                    "org.apache.kafka.common.security.scram.ScramLoginModule required;");
        }
        properties.put("listeners", String.join(",", listeners));
        properties.put("advertised.listeners", advertised);
        properties.put("listener.security.protocol.map", String.join(",", protocols));
        properties.put("inter.broker.listener.name", INTERNAL);
        properties.put("controller.listener.names", CONTROLLER);
    }

    private void addCertificates(String prefix, String clients) {
        if (authority == null) {
            throw new IllegalStateException("listener " + prefix + " needs an authority");
        }
        KeyAndCertificate broker = authority.issue(BROKER_NAME);
        properties.put(prefix + "ssl.keystore.type", "PEM");
        properties.put(prefix + "ssl.keystore.key", broker.key());
        properties.put(prefix + "ssl.keystore.certificate.chain", broker.certificate());
        properties.put(prefix + "ssl.truststore.type", "PEM");
        properties.put(prefix + "ssl.truststore.certificates", authority.certificate());
        properties.put(prefix + "ssl.client.auth", clients);
        properties.put("ssl.principal.mapping.rules", "RULE:^CN=([^,]+).*$/$1/,DEFAULT");
    }

    /** Uses few threads and small buffers, because a test broker serves one test. */
    private void useFewResources() {
        properties.put("auto.create.topics.enable", "false");
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.put("group.min.session.timeout.ms", "1000");
        properties.put("group.coordinator.rebalance.protocols", "classic,consumer");
        properties.put("num.network.threads", "2");
        properties.put("num.io.threads", "4");
        properties.put("background.threads", "2");
        properties.put("log.cleaner.dedupe.buffer.size", "4194304");
        properties.put("offsets.topic.num.partitions", "4");
        properties.put("transaction.state.log.num.partitions", "4");
        properties.put("controlled.shutdown.enable", "false");
        // A broker that was killed is only readmitted when its last session has expired.
        properties.put("broker.session.timeout.ms", "4000");
        properties.put("broker.heartbeat.interval.ms", "500");
    }

    private void addReplication(int brokers) {
        String inSync = brokers > 1 ? "2" : "1";
        properties.put("default.replication.factor", Integer.toString(brokers));
        properties.put("min.insync.replicas", inSync);
        properties.put("offsets.topic.replication.factor", Integer.toString(brokers));
        properties.put("transaction.state.log.replication.factor", Integer.toString(brokers));
        properties.put("transaction.state.log.min.isr", inSync);
        properties.put("share.coordinator.state.topic.replication.factor", Integer.toString(brokers));
        properties.put("share.coordinator.state.topic.min.isr", inSync);
    }

    private void addAuthorizer() {
        properties.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        properties.put("allow.everyone.if.no.acl.found", "false");
        properties.put(
                "super.users",
                String.join(
                        ";",
                        options.superUsers().stream()
                                .map(name -> "User:" + name)
                                .toList()));
    }

    private static String listener(String name, int port) {
        return name + "://" + BrokerNode.HOST + ":" + port;
    }
}
