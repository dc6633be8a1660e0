package dev.flotilla.nodeupgrader;

import dev.flotilla.nodeupgrader.config.NodeUpgraderConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Starts a node-upgrader. */
public final class Main {
    private static final int USAGE = 2;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(300);

    private Main() {}

    /** Starts the process and returns the URL of its HTTP server. A signal stops it in order. */
    public static String start(NodeUpgraderConfig config) throws IOException {
        return NodeUpgraderProcess.start(config).stopOnSignal().url();
    }

    /** Starts the process as the demo and tests do: {@code --kubeconfig FILE}. */
    public static void main(String[] args) throws IOException {
        if (args.length != 2 || !args[0].equals("--kubeconfig")) {
            System.err.println("node-upgrader: give --kubeconfig FILE");
            System.exit(USAGE);
            return;
        }
        String url = start(NodeUpgraderConfig.forKubeconfig(Path.of(args[1]), POLL_INTERVAL));
        System.out.println("node-upgrader ready at " + url);
    }
}
