package dev.flotilla.runtime.kafka;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Looks which brokers can be reached at all, before a call or after it has failed: the client itself says only that time is up, and
 * whoever is called at night needs to know whether it is the name, the network or the listener.
 */
public final class BrokerReachabilityCheck {
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final int MOST = 3;

    private BrokerReachabilityCheck() {}

    /** What each of the first brokers looks like from here. */
    static String describeReachability(List<String> bootstrap, String protocol) {
        return bootstrap.stream()
                .limit(MOST)
                .map(address -> address + " " + describeReachability(address, protocol))
                .collect(Collectors.joining("; "));
    }

    /** Whether any of the first brokers takes a connection, so that it may pay to wait for its answer. */
    public static boolean isReachable(KafkaClientSettings settings) {
        return settings.bootstrap().stream().limit(MOST).anyMatch(address -> {
            try (Socket socket = new Socket()) {
                socket.connect(broker(address), Math.toIntExact(PATIENCE.toMillis()));
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    private static InetSocketAddress broker(String address) {
        int colon = address.lastIndexOf(':');
        return new InetSocketAddress(
                address.substring(0, colon).replaceAll("[\\[\\]]", ""), Integer.parseInt(address.substring(colon + 1)));
    }

    private static String describeReachability(String address, String protocol) {
        InetSocketAddress broker = broker(address);
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
