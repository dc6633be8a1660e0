package dev.flotilla.clusterapi;

import dev.flotilla.clusterapi.config.ClusterApiExtensionConfig;
import java.io.IOException;

/** Starts the Cluster API extension. */
public final class Main {
    private Main() {}

    /** Starts the process and returns the URL of its HTTP server. A signal stops it in order. */
    public static String start(ClusterApiExtensionConfig config) throws IOException {
        return ClusterApiExtensionProcess.start(config, config.readDefaults(), config.readDelegates())
                .stopOnSignal()
                .url();
    }
}
