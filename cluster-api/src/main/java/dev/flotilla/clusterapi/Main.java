package dev.flotilla.clusterapi;

import dev.flotilla.clusterapi.config.ClusterApiExtensionConfig;
import dev.flotilla.clusterapi.delegate.UpdateDelegate;
import java.io.IOException;
import java.util.List;

/** Starts the Cluster API extension. */
public final class Main {
    private Main() {}

    /** Starts the process and returns the URL of its HTTP server. A signal stops it in order. */
    public static String start(ClusterApiExtensionConfig config) throws IOException {
        List<UpdateDelegate> delegates = config.readDelegates();
        return ClusterApiExtensionProcess.start(config, config.readDefaults(delegates), delegates)
                .stopOnSignal()
                .url();
    }
}
