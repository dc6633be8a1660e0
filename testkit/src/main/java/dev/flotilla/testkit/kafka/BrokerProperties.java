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
    /** The principal of the brokers among themselves where there is an authorizer. */
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
     * Of one node.
     *
     * @param voters of the controllers' quorum
     * @param authority for doors with TLS and for brokers among themselves where ACLs rule; null where neither is
     */
    static Map<String, String> of(
            KafkaOptions options, BrokerNode node, String voters, @Nullable CertificateAuthority authority) {
        BrokerProperties made = new BrokerProperties(options, authority);
        made.node(node, voters);
        made.listeners(node);
        made.small();
        made.replicas(options.brokers());
        if (options.hasAuthorizer()) {
            made.authorizer();
        }
        made.properties.putAll(options.properties());
        return made.properties;
    }

    private void node(BrokerNode node, String voters) {
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", Integer.toString(node.id()));
        properties.put("controller.quorum.voters", voters);
        properties.put("log.dirs", node.folder().toString());
        properties.put("server.max.startup.time.ms", "60000");
    }

    private void listeners(BrokerNode node) {
        List<String> listeners = new ArrayList<>();
        List<String> protocols = new ArrayList<>();
        node.doors().forEach((brokerListener, port) -> {
            listeners.add(listener(brokerListener.name(), port));
            protocols.add(brokerListener.name() + ":" + brokerListener.protocol());
            if (brokerListener.isEncrypted()) {
                certificates(brokerListener.prefix(), brokerListener.clientCertificate());
            }
        });
        // The brokers' own listeners are apart from the clients': where ACLs rule, only a certificate of our authority
        // with the brokers' name gets in, and so no client becomes a super user by coming through another door.
        String own = options.hasAuthorizer() ? "SSL" : "PLAINTEXT";
        listeners.add(listener(INTERNAL, node.internal()));
        String advertised = String.join(",", listeners);
        listeners.add(listener(CONTROLLER, node.controller()));
        protocols.add(INTERNAL + ":" + own);
        protocols.add(CONTROLLER + ":" + own);
        if (options.hasAuthorizer()) {
            certificates("listener.name.internal.", "required");
            certificates("listener.name.controller.", "required");
        }
        if (node.doors().containsKey(BrokerListener.SCRAM)) {
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

    private void certificates(String prefix, String clients) {
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

    /** Few threads and small buffers: a broker of tests serves one test. */
    private void small() {
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
        // One that was killed is let in again only when its last session is over.
        properties.put("broker.session.timeout.ms", "4000");
        properties.put("broker.heartbeat.interval.ms", "500");
    }

    private void replicas(int brokers) {
        String inSync = brokers > 1 ? "2" : "1";
        properties.put("default.replication.factor", Integer.toString(brokers));
        properties.put("min.insync.replicas", inSync);
        properties.put("offsets.topic.replication.factor", Integer.toString(brokers));
        properties.put("transaction.state.log.replication.factor", Integer.toString(brokers));
        properties.put("transaction.state.log.min.isr", inSync);
        properties.put("share.coordinator.state.topic.replication.factor", Integer.toString(brokers));
        properties.put("share.coordinator.state.topic.min.isr", inSync);
    }

    private void authorizer() {
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
