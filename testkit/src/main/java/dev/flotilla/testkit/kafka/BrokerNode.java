package dev.flotilla.testkit.kafka;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * One broker of a Kafka cluster: its data folder and its ports.
 *
 * @param internal port for the other brokers, and for the test's own super user
 * @param controller port of its controller
 */
record BrokerNode(int id, Path folder, Map<BrokerListener, Integer> listeners, int internal, int controller) {
    static final String HOST = "127.0.0.1";

    /** A node on free ports. */
    static BrokerNode free(int id, Path folder, Set<BrokerListener> listeners) {
        Map<BrokerListener, Integer> ports = new EnumMap<>(BrokerListener.class);
        listeners.forEach(brokerListener -> ports.put(brokerListener, FreePorts.next()));
        return new BrokerNode(id, folder, ports, FreePorts.next(), FreePorts.next());
    }

    /** Its address for the controller quorum. */
    String voter() {
        return id + "@" + HOST + ":" + controller;
    }
}
