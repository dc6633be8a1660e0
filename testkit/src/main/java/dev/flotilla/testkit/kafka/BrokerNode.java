package dev.flotilla.testkit.kafka;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * One broker of a Kafka: where it keeps its data and where it listens.
 *
 * @param internal port for the other brokers, and for the test's own super user
 * @param controller port of its controller
 */
record BrokerNode(int id, Path folder, Map<BrokerListener, Integer> doors, int internal, int controller) {
    static final String HOST = "127.0.0.1";

    /** A node on free ports. */
    static BrokerNode free(int id, Path folder, Set<BrokerListener> doors) {
        Map<BrokerListener, Integer> ports = new EnumMap<>(BrokerListener.class);
        doors.forEach(brokerListener -> ports.put(brokerListener, FreePorts.next()));
        return new BrokerNode(id, folder, ports, FreePorts.next(), FreePorts.next());
    }

    /** The same node with another port for its first door. */
    BrokerNode withPort(int port) {
        Map<BrokerListener, Integer> ports = new EnumMap<>(doors);
        ports.put(ports.keySet().iterator().next(), port);
        return new BrokerNode(id, folder, ports, internal, controller);
    }

    /** How the quorum's members know this one. */
    String voter() {
        return id + "@" + HOST + ":" + controller;
    }
}
