package dev.flotilla.bench.harness;

import dev.flotilla.testkit.process.ChildProcess;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks an orchestrator for its role. */
public final class ReplicaRoleProbe {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int HTTP_MILLIS = 3_000;
    private static final int FIRST_ERROR = 400;
    private static final Pattern ROLE = Pattern.compile("\"(leader|standby|restoring|refusing)\"");

    private ReplicaRoleProbe() {}

    /** Role that an orchestrator reports; empty if it does not answer. */
    public static String replicaRole(ChildProcess orchestrator) {
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    orchestrator.awaitAddress().resolve("/readyz").toURL().openConnection();
            connection.setConnectTimeout(HTTP_MILLIS);
            connection.setReadTimeout(HTTP_MILLIS);
            var body = connection.getResponseCode() < FIRST_ERROR
                    ? connection.getInputStream()
                    : connection.getErrorStream();
            if (body == null) {
                return "";
            }
            try (body) {
                Matcher found = ROLE.matcher(new String(body.readAllBytes(), StandardCharsets.UTF_8));
                return found.find() ? found.group(1) : "";
            }
        } catch (IOException e) {
            return "";
        }
    }

    /** Waits until an orchestrator reports a role. */
    public static void awaitReplicaRole(ChildProcess orchestrator, String role) throws InterruptedException {
        long until = System.nanoTime() + TIMEOUT.toNanos();
        while (!replicaRole(orchestrator).equals(role)) {
            if (System.nanoTime() > until || !orchestrator.isAlive()) {
                throw new IllegalStateException(orchestrator.name() + " does not become " + role);
            }
            Thread.sleep(20);
        }
    }
}
