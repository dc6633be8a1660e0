package dev.flotilla.testkit.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real cluster of kubeadm on this machine: each node has a kubelet, containerd and namespaces of its own. One cluster
 * runs at a time; another one waits for its end. Everything ends with {@link #close}, and also when this JVM dies.
 *
 * <p>A test that needs it is annotated with {@code @Tag("node")} and {@code @EnabledIf(value = KubeadmCluster.USABLE,
 * disabledReason = KubeadmCluster.UNUSABLE)}: where nodes cannot run it is skipped, and standard error says why; with
 * {@code FLOTILLA_NODE=required} it fails.
 */
public final class KubeadmCluster implements AutoCloseable {
    /** The version with which a cluster starts before an upgrade. */
    public static final String FIRST_VERSION = "v1.36.1";

    /** The version to upgrade to: every node has the programs and images of both versions in {@code /opt/packages}. */
    public static final String SECOND_VERSION = "v1.36.3";

    /** An image that every node has: a shell with nsenter, chroot and wget. Its pull policy must not be {@code Always}. */
    public static final String BUSYBOX = "flotilla.test/busybox:1";

    /** The method with which JUnit checks whether nodes can be started. */
    public static final String USABLE = "dev.flotilla.testkit.node.KubeadmCluster#isUsable";

    public static final String UNUSABLE = "SKIPPED: no real node can be started; testkit/node/check says why";

    /** How long a command may run in a node. */
    private static final long COMMAND_TIMEOUT_SECONDS = 300;

    private static final long STOP_TIMEOUT_SECONDS = 120;
    private static final int NO_PROCESS_MATCHED = 1;

    /** Neither BusyBox of every distribution nor a minimal system has pkill. The list is older than what the loop forks. */
    private static final String KILL = """
            code=1
            for folder in /proc/[0-9]*; do
              pid=${folder#/proc/}
              if [ "$pid" != $$ ] && [ "$pid" != 1 ] && tr '\\0' ' ' <"$folder/cmdline" 2>/dev/null | grep -qE -e "$1"; then
                kill -KILL "$pid" 2>/dev/null && code=0
              fi
            done
            exit $code
            """;

    private final NodeScripts nodeScripts;
    private final Process process;
    private final Path log;
    private final Path kubeconfig;

    private KubeadmCluster(NodeScripts nodeScripts, Process process, Path log, Path kubeconfig) {
        this.nodeScripts = nodeScripts;
        this.process = process;
        this.log = log;
        this.kubeconfig = kubeconfig;
    }

    /** Whether nodes can be started. Prints the reasons if not, and throws if they are required. */
    public static boolean isUsable() {
        return NodeScripts.find().isUsable(System.getenv(), System.err);
    }

    /** Starts a single node, {@code node1}, with the first version. */
    public static KubeadmCluster startSingleNode() {
        return start(FIRST_VERSION, 1, 0);
    }

    /**
     * Starts a cluster, and waits until its nodes are Ready and its Services and DNS work.
     *
     * @param version one of the two versions
     * @param controlPlanes 1, 3 or 5: {@code node1}, {@code node2} and so on, which run workloads too; several are behind
     *     a load balancer
     * @param workers the nodes after these
     */
    public static KubeadmCluster start(String version, int controlPlanes, int workers) {
        NodeScripts nodeScripts = NodeScripts.find();
        List<String> command = nodeScripts.command(
                "up",
                "--hold",
                "--kubernetes",
                version,
                "--control-planes",
                Integer.toString(controlPlanes),
                "--workers",
                Integer.toString(workers));
        try {
            Path log = Files.createTempFile("flotilla-node-", ".log");
            Process process =
                    new ProcessBuilder(command).redirectError(log.toFile()).start();
            // The script limits each of its waits; it ends if it cannot start the cluster.
            String printed = process.inputReader().readLine();
            if (printed == null) {
                throw new IllegalStateException(
                        "testkit/node/up failed with exit code " + awaitExit(process) + ":\n" + Files.readString(log));
            }
            return new KubeadmCluster(nodeScripts, process, log, Path.of(printed));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a cluster", e);
        }
    }

    /** The administrator's kubeconfig; its address can be reached from this machine and from pods. */
    public Path kubeconfig() {
        return kubeconfig;
    }

    /** Runs a command as root of a node. Returns what it printed, including errors; throws if it fails. */
    public String run(String node, String... command) {
        List<String> bounded = new ArrayList<>(List.of("timeout", Long.toString(COMMAND_TIMEOUT_SECONDS)));
        bounded.addAll(List.of(command));
        NodeScripts.Result result = enter(node, bounded);
        if (result.exitCode() != 0) {
            throw new IllegalStateException("'" + String.join(" ", command) + "' failed on " + node + " with exit code "
                    + result.exitCode() + ": " + result.output());
        }
        return result.output();
    }

    /** Copies a file of this machine to a node. */
    public void copyTo(String node, Path file, String path) {
        NodeScripts.Result result = nodeScripts.runWithInput(file, "enter", node, "sh", "-c", "cat >" + path);
        if (result.exitCode() != 0) {
            throw new IllegalStateException(
                    "cannot copy " + file + " to " + path + " on " + node + ": " + result.output());
        }
    }

    /**
     * Kills processes of a node and of its pods, like {@code kill -9}.
     *
     * @param commandLine an extended regular expression that is found in their command lines
     * @return whether there were any
     */
    public boolean killProcesses(String node, String commandLine) {
        NodeScripts.Result result = enter(node, List.of("sh", "-c", KILL, "sh", commandLine));
        if (result.exitCode() > NO_PROCESS_MATCHED) {
            throw new IllegalStateException("cannot kill '" + commandLine + "' on " + node + ": " + result.output());
        }
        return result.exitCode() == 0;
    }

    private NodeScripts.Result enter(String node, List<String> command) {
        List<String> arguments = new ArrayList<>(List.of(node));
        arguments.addAll(command);
        return nodeScripts.run("enter", arguments.toArray(String[]::new));
    }

    /** Ends the cluster, and removes everything but the logs of its nodes, which stay until the next start. */
    @Override
    public void close() {
        // The script stops the nodes when its standard input ends.
        try (Writer stdin = process.outputWriter()) {
            stdin.flush();
        } catch (IOException e) {
            // It has already ended.
        }
        int exitCode = awaitExit(process);
        if (exitCode != 0) {
            throw new IllegalStateException("the cluster was not removed (exit code " + exitCode + "); see " + log);
        }
        try {
            Files.delete(log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + log, e);
        }
    }

    private static int awaitExit(Process process) {
        try {
            if (process.waitFor(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                return process.exitValue();
            }
            process.destroyForcibly();
            throw new IllegalStateException("testkit/node/up did not end within " + STOP_TIMEOUT_SECONDS + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for testkit/node/up", e);
        }
    }
}
