package dev.flotilla.kafka;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Checks which brokers can be reached, before a call or after it has failed. The client itself reports only a timeout, but an operator
 * must know whether the cause is the name, the network or the listener.
 */
public final class BrokerReachabilityCheck {
    private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
    private static final int MAX_BROKERS = 3;

    private BrokerReachabilityCheck() {}

    /** Describes the reachability of each of the first brokers. */
    static String describeReachability(List<String> bootstrap, String protocol) {
        return bootstrap.stream()
                .limit(MAX_BROKERS)
                .map(address -> address + " " + describeReachability(address, protocol))
                .collect(Collectors.joining("; "));
    }

    /** Whether any of the first brokers accepts a connection, so that it is worth waiting for a response. */
    public static boolean isReachable(KafkaClientSettings settings) {
        return settings.bootstrap().stream().limit(MAX_BROKERS).anyMatch(address -> {
            try (Socket socket = new Socket()) {
                socket.connect(parseAddress(address), Math.toIntExact(CONNECT_TIMEOUT.toMillis()));
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    private static InetSocketAddress parseAddress(String address) {
        int colon = address.lastIndexOf(':');
        return new InetSocketAddress(
                address.substring(0, colon).replaceAll("[\\[\\]]", ""), Integer.parseInt(address.substring(colon + 1)));
    }

    private static String describeReachability(String address, String protocol) {
        InetSocketAddress broker = parseAddress(address);
        if (broker.isUnresolved()) {
            return "has no address: check the name and the DNS";
        }
        try (Socket socket = new Socket()) {
            socket.connect(broker, Math.toIntExact(CONNECT_TIMEOUT.toMillis()));
            return "accepts connections but does not answer: check that this listener uses " + protocol
                    + " and that the broker is not stuck";
        } catch (IOException e) {
            return "accepts no connection (" + e.getMessage()
                    + "): check that the broker runs and the network allows the connection";
        }
    }
}
