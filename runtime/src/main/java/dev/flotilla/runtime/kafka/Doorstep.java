package dev.flotilla.runtime.kafka;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Looks which brokers can be reached at all, after a call has failed: the client itself says only that time is up, and
 * whoever is called at night needs to know whether it is the name, the network or the listener.
 */
final class Doorstep {
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final int MOST = 3;

    private Doorstep() {}

    /** What each of the first brokers looks like from here. */
    static String look(List<String> bootstrap, String protocol) {
        return bootstrap.stream()
                .limit(MOST)
                .map(address -> address + " " + look(address, protocol))
                .collect(Collectors.joining("; "));
    }

    private static String look(String address, String protocol) {
        int colon = address.lastIndexOf(':');
        InetSocketAddress broker = new InetSocketAddress(
                address.substring(0, colon).replaceAll("[\\[\\]]", ""), Integer.parseInt(address.substring(colon + 1)));
        if (broker.isUnresolved()) {
            return "has no address: check the name and the DNS";
        }
        try (Socket socket = new Socket()) {
            socket.connect(broker, Math.toIntExact(PATIENCE.toMillis()));
            return "takes connections but does not answer: check that this listener speaks " + protocol
                    + ", and that the broker is not stuck";
        } catch (IOException e) {
            return "takes no connection (" + e.getMessage() + "): check that the broker runs and the network lets us";
        }
    }
}
