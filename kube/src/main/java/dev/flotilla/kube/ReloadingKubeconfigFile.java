package dev.flotilla.kube;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A kubeconfig file that is renewed on disk before its certificate expires, and read again when it has changed. */
final class ReloadingKubeconfigFile {
    /** How often the file is checked at most. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

    private static final Duration CHECK_INTERVAL_WHILE_REJECTED = Duration.ofSeconds(1);

    private final Path path;
    private final Duration timeout;
    private final LongSupplier ticks;
    private final ReentrantLock lock = new ReentrantLock();
    private String text = "";
    private long readAt;

    ReloadingKubeconfigFile(Path path, Duration timeout, LongSupplier ticks) {
        this.path = path;
        this.timeout = timeout;
        this.ticks = ticks;
    }

    /** Opens the file for the first time. Messages about problems never quote it. */
    Config openClient() throws IOException {
        text = Files.readString(path);
        readAt = ticks.getAsLong();
        try {
            return KubeConnectionConfig.parseKubeconfig(text).toClientConfig(null, timeout);
        } catch (KubeConnectionConfig.InvalidKubeconfigException e) {
            throw new IOException("kubeconfig " + path + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns the client configuration if the file has changed; null otherwise. A file that is unreadable or half written is read
     * again later.
     *
     * @param refused whether the API server rejects the credentials in it
     */
    @Nullable
    Config reloadIfChanged(boolean refused) {
        if (!lock.tryLock()) {
            return null;
        }
        try {
            long now = ticks.getAsLong();
            if (now - readAt < (refused ? CHECK_INTERVAL_WHILE_REJECTED : CHECK_INTERVAL).toNanos()) {
                return null;
            }
            readAt = now;
            String next = Files.readString(path);
            if (next.equals(text)) {
                return null;
            }
            Config config = KubeConnectionConfig.parseKubeconfig(next).toClientConfig(null, timeout);
            text = next;
            return config;
        } catch (IOException | KubeConnectionConfig.InvalidKubeconfigException e) {
            return null;
        } finally {
            lock.unlock();
        }
    }
}
