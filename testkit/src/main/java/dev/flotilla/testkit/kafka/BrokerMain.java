package dev.flotilla.testkit.kafka;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One broker of the test bed as a process of its own, so that it can be killed, stopped and started again on its folder.
 * Prints {@code ready HOST:PORT} when it serves, and ends when its standard input does: nobody's broker outlives them.
 */
public final class BrokerMain {
    static final String READY = "ready ";
    private static final String USAGE = "usage: BrokerMain --dir FOLDER --port PORT --internal-port PORT"
            + " --controller-port PORT [--node-id N] [--voters ID@HOST:PORT,...] [--property KEY=VALUE]...";
    private static final int WRONG_USE = 2;
    private static final int CANNOT_START = 1;

    private final Map<String, String> given = new LinkedHashMap<>();
    private final List<String> properties = new ArrayList<>();

    private BrokerMain(String[] args) {
        if (args.length % 2 != 0) {
            throw new IllegalArgumentException(args[args.length - 1] + " has no value");
        }
        for (int i = 0; i < args.length; i += 2) {
            switch (args[i]) {
                case "--property" -> properties.add(args[i + 1]);
                case "--dir", "--port", "--internal-port", "--controller-port", "--node-id", "--voters" ->
                    given.put(args[i], args[i + 1]);
                default -> throw new IllegalArgumentException(args[i] + " is unknown");
            }
        }
    }

    /** Runs until standard input ends. */
    public static void main(String[] args) throws IOException {
        BrokerMain asked;
        BrokerNode node;
        try {
            asked = new BrokerMain(args);
            node = asked.node();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "; " + USAGE);
            System.exit(WRONG_USE);
            return;
        }
        String voters = asked.given.getOrDefault("--voters", node.voter());
        InProcessBroker inProcessBroker = started(asked.options(voters), node, voters);
        Runtime.getRuntime().addShutdownHook(new Thread(inProcessBroker::close, "stop"));
        System.out.println(READY + BrokerNode.HOST + ":" + node.doors().get(BrokerListener.PLAINTEXT));
        while (System.in.read() >= 0) {
            // Nothing is said to a broker; only the end counts.
        }
        System.exit(0);
    }

    /** A broker that cannot start leaves threads behind that would keep this process, and who waits for it, for ever. */
    private static InProcessBroker started(KafkaOptions options, BrokerNode node, String voters) {
        try {
            return InProcessBroker.start(BrokerProperties.of(options, node, voters, null), options);
        } catch (RuntimeException e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(CANNOT_START);
            throw e;
        }
    }

    private BrokerNode node() {
        Map<BrokerListener, Integer> doors = new EnumMap<>(BrokerListener.class);
        doors.put(BrokerListener.PLAINTEXT, port("--port"));
        return new BrokerNode(
                Integer.parseInt(given.getOrDefault("--node-id", "1")),
                Path.of(needed("--dir")),
                doors,
                port("--internal-port"),
                port("--controller-port"));
    }

    private KafkaOptions options(String voters) {
        KafkaOptions options = KafkaOptions.defaults().withBrokers(voters.split(",").length);
        for (String property : properties) {
            int equals = property.indexOf('=');
            options = options.withProperty(property.substring(0, equals), property.substring(equals + 1));
        }
        return options;
    }

    private int port(String option) {
        return Integer.parseInt(needed(option));
    }

    private String needed(String option) {
        String value = given.get(option);
        if (value == null) {
            throw new IllegalArgumentException(option + " is missing");
        }
        return value;
    }
}
