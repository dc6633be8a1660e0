package dev.flotilla.bench.clusterapi;

import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.ComponentClassPaths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A process {@code flotilla cluster-api-extension} with the options of the shipped Deployment, and a caller that trusts it. */
final class MeasuredExtension implements AutoCloseable {
    /** In a pod with the memory of the shipped Deployment the JVM chooses the serial collector by itself. */
    private static final List<String> FLAGS = List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:-UsePerfData");

    private static final String LOOPBACK = "127.0.0.1";

    private final Path folder;
    private final ChildProcess process;
    private final HookCaller caller;

    private MeasuredExtension(Path folder, ChildProcess process, HookCaller caller) {
        this.folder = folder;
        this.process = process;
        this.caller = caller;
    }

    static MeasuredExtension start(Path kubeconfig) throws IOException {
        Path folder = Files.createTempDirectory("flotilla-bench-");
        CertificateAuthority authority = CertificateAuthority.create("extension-ca");
        KeyAndCertificate own = authority.issue(LOOPBACK);
        own.writeSeparateFiles(folder);
        ChildProcess process = ChildProcess.startJvm(
                "extension",
                folder,
                ComponentClassPaths.own(),
                FLAGS,
                "dev.flotilla.cli.Main",
                List.of(
                        "cluster-api-extension",
                        "--kubeconfig",
                        kubeconfig.toString(),
                        "--listen",
                        LOOPBACK + ":0",
                        "--cert",
                        folder.resolve(LOOPBACK + ".crt").toString(),
                        "--key",
                        folder.resolve(LOOPBACK + ".key").toString()));
        process.endWithParent();
        return new MeasuredExtension(folder, process, HookCaller.of(process.awaitAddress(), authority));
    }

    /** Starts it with a management cluster at a port of this machine. */
    static MeasuredExtension startWithClusterAt(int port) throws IOException {
        Path kubeconfig = Files.createTempFile("flotilla-bench-", ".kubeconfig");
        String authority = CertificateAuthority.create("cluster-ca").certificate();
        Files.writeString(kubeconfig, """
                apiVersion: v1
                kind: Config
                clusters: [{name: away, cluster: {server: 'https://%s:%d', certificate-authority-data: %s}}]
                users: [{name: away, user: {token: nobody-reads-it}}]
                contexts: [{name: away, context: {cluster: away, user: away}}]
                current-context: away
                """.formatted(
                LOOPBACK, port, Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII))));
        try {
            return start(kubeconfig);
        } finally {
            Files.deleteIfExists(kubeconfig);
        }
    }

    HookCaller caller() {
        return caller;
    }

    @Override
    public void close() {
        process.kill();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            // Files that cannot be deleted stay in the folder for temporary files.
        }
    }
}
