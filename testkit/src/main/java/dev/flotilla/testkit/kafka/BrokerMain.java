package dev.flotilla.testkit.kafka;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One broker of the test bed as a separate process, so that it can be killed, suspended and restarted on its folder.
 * Prints {@code ready HOST:PORT} when it serves, and ends when its standard input ends, so that it does not outlive its
 * parent.
 */
public final class BrokerMain {
    static final String READY = "ready ";
    private static final String USAGE = "usage: BrokerMain --dir FOLDER --port PORT --internal-port PORT"
            + " --controller-port PORT [--node-id N] [--voters ID@HOST:PORT,...] [--property KEY=VALUE]...";
    private static final int EXIT_WRONG_USAGE = 2;
    private static final int EXIT_CANNOT_START = 1;

    private final Map<String, String> options = new LinkedHashMap<>();
    private final List<String> properties = new ArrayList<>();

    private BrokerMain(String[] args) {
        if (args.length % 2 != 0) {
            throw new IllegalArgumentException(args[args.length - 1] + " needs a value");
        }
        for (int i = 0; i < args.length; i += 2) {
            switch (args[i]) {
                case "--property" -> properties.add(args[i + 1]);
                case "--dir", "--port", "--internal-port", "--controller-port", "--node-id", "--voters" ->
                    options.put(args[i], args[i + 1]);
                default -> throw new IllegalArgumentException(args[i] + " is an unknown option");
            }
        }
    }

    /** Runs until standard input ends. */
    public static void main(String[] args) throws IOException {
        BrokerMain arguments;
        BrokerNode node;
        try {
            arguments = new BrokerMain(args);
            node = arguments.node();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "; " + USAGE);
            System.exit(EXIT_WRONG_USAGE);
            return;
        }
        String voters = arguments.options.getOrDefault("--voters", node.voter());
        InProcessBroker inProcessBroker = start(arguments.options(voters), node, voters);
        Runtime.getRuntime().addShutdownHook(new Thread(inProcessBroker::close, "stop"));
        System.out.println(READY + BrokerNode.HOST + ":" + node.listeners().get(BrokerListener.PLAINTEXT));
        while (System.in.read() >= 0) {
            // Input is ignored; only its end matters.
        }
        System.exit(0);
    }

    /**
     * Starts the broker. A broker that fails to start leaves threads behind that would keep this process, and its
     * parent, waiting forever.
     */
    private static InProcessBroker start(KafkaOptions options, BrokerNode node, String voters) {
        try {
            return InProcessBroker.start(BrokerProperties.of(options, node, voters, null), options);
        } catch (RuntimeException e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(EXIT_CANNOT_START);
            throw e;
        }
    }

    private BrokerNode node() {
        Map<BrokerListener, Integer> listeners = new EnumMap<>(BrokerListener.class);
        listeners.put(BrokerListener.PLAINTEXT, port("--port"));
        return new BrokerNode(
                Integer.parseInt(options.getOrDefault("--node-id", "1")),
                Path.of(requiredOption("--dir")),
                listeners,
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
        return Integer.parseInt(requiredOption(option));
    }

    private String requiredOption(String option) {
        String value = options.get(option);
        if (value == null) {
            throw new IllegalArgumentException(option + " is missing");
        }
        return value;
    }
}
