package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.demo.stage.DemoProcesses;
import dev.flotilla.cli.demo.stage.HttpJsonClient;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.testkit.kafka.BrokerProcess;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.ComponentClassPaths;
import dev.flotilla.testkit.sites.EmbeddedSites;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** A fleet of real processes, each of the one version or the other; nodes, management clusters and broker are of this build. */
final class RollingFleet implements AutoCloseable {
    /** Far longer than on a machine that has nothing else to do. */
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private static final String SPEED = "60";
    private static final SiteId SITE = new SiteId("site-1");

    private final Path folder;
    private final BrokerProcess broker;
    private final ChildProcess sites;
    private final Map<String, ChildProcess> processes = new LinkedHashMap<>();
    private final List<String> report = new ArrayList<>();
    private final long begunNanos = System.nanoTime();

    /** A version of Flotilla. */
    record Version(String name, String classPath) {}

    RollingFleet(Path folder, int clusters, int machines) {
        this.folder = folder;
        this.broker = BrokerProcess.singleBroker(folder, Map.of()).start();
        this.sites = ChildProcess.startJvm(
                "sites",
                folder,
                ComponentClassPaths.own(),
                options(ComponentClassPaths.own(), "512m"),
                "dev.flotilla.testkit.sites.SitesMain",
                List.of(
                        "--bootstrap",
                        broker.bootstrap(),
                        "--folder",
                        folder.toString(),
                        "--sites",
                        "1",
                        "--clusters",
                        Integer.toString(clusters),
                        "--machines",
                        Integer.toString(machines),
                        "--fail-rate",
                        "0",
                        "--speed",
                        SPEED));
        sites.awaitAddress();
    }

    private static List<String> options(String classPath, String heap) {
        List<String> options = new ArrayList<>(ChildProcess.quickStartOptions(classPath));
        options.addAll(List.of(
                "-Xmx" + heap,
                ChildProcess.LOG_OPTION,
                "--enable-native-access=ALL-UNNAMED",
                "-Djdk.tls.namedGroups=x25519"));
        return options;
    }

    /** Starts a process, or replaces it, by one of a version: {@code auditor}, {@code orchestrator-a}, {@code watcher}. */
    void roll(String name, Version version) throws IOException {
        ChildProcess before = processes.remove(name);
        if (before != null) {
            before.stop();
        }
        String role = name.replaceAll("-[ab]$", "");
        List<String> arguments = arguments(role, name + "-" + report.size());
        String main = switch (role) {
            case "auditor" -> "dev.flotilla.auditor.Main";
            case "orchestrator" -> "dev.flotilla.orchestrator.Main";
            case "watcher" -> "dev.flotilla.managementwatcher.Main";
            case "worker" -> "dev.flotilla.nodeworker.Main";
            default -> throw new IllegalArgumentException(name);
        };
        ChildProcess process = ChildProcess.startJvm(
                name + "-" + report.size(),
                folder,
                version.classPath(),
                options(version.classPath(), "256m"),
                main,
                arguments);
        processes.put(name, process);
        URI address = process.awaitAddress();
        if (role.equals("orchestrator")) {
            await(
                    name + " leads or follows",
                    () -> !role(name).isEmpty() && !role(name).equals("restoring"));
        } else if (!role.equals("auditor")) {
            await(name + " is ready", () -> isReady(address));
        }
        note(name + (role.equals("orchestrator") ? " (" + role(name) + ")" : "") + " is of " + version.name());
    }

    private List<String> arguments(String role, String instance) throws IOException {
        String kubeconfig =
                folder.resolve(EmbeddedSites.kubeconfig(SITE.name())).toString();
        return switch (role) {
            case "auditor" ->
                List.of("--bootstrap", broker.bootstrap(), "--listen", "127.0.0.1:0", "--timeout", "300", "--freeze");
            case "orchestrator" -> DemoProcesses.orchestrator(broker.bootstrap(), instance);
            case "watcher" -> DemoProcesses.watcher(broker.bootstrap(), instance, SITE, kubeconfig);
            default ->
                DemoProcesses.worker(
                        broker.bootstrap(),
                        instance,
                        SITE,
                        kubeconfig,
                        Files.readString(folder.resolve(EmbeddedSites.K8SD)));
        };
    }

    private static boolean isReady(URI address) {
        JsonObjectReader ready = HttpJsonClient.get(address.resolve("/readyz"));
        return ready != null && !String.valueOf(ready.get("status")).contains("not");
    }

    /** What an orchestrator says that it is; empty if it does not answer. */
    String role(String name) {
        ChildProcess process = processes.get(name);
        JsonObjectReader ready = process == null || !process.isReady()
                ? null
                : HttpJsonClient.get(process.awaitAddress().resolve("/readyz"));
        return ready != null && ready.get("status") instanceof JsonValue.JsonString status ? status.value() : "";
    }

    /** Runs a command of a version as a process. */
    void run(Version version, String... command) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "dev.flotilla.cli.Main"));
        line.addAll(List.of(command));
        line.addAll(List.of("--bootstrap", broker.bootstrap()));
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("cli.log").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("FLOTILLA_"));
        builder.environment().put("CLASSPATH", version.classPath());
        int exit = builder.start().waitFor();
        assertThat(exit)
                .as("%s of %s: %s", List.of(command), version.name(), Files.readString(folder.resolve("cli.log")))
                .isZero();
        note(version.name() + ": flotilla " + String.join(" ", command));
    }

    /** Runs a command of this build. */
    CliResult flotilla(String... command) {
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of("--bootstrap", broker.bootstrap()));
        return CliResult.flotilla(line.toArray(String[]::new));
    }

    /** Waits until a condition holds; its evaluation takes time of its own. */
    void await(String what, BooleanSupplier condition) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            processes.forEach((name, process) -> assertThat(process.hasCrashed())
                    .as(name + " ended, see " + process.log())
                    .isFalse());
            if (System.nanoTime() > until) {
                throw new AssertionError("not within " + PATIENCE.toMinutes() + " min: " + what + "; logs in " + folder
                        + "\n" + String.join("\n", report));
            }
        }
    }

    /** The calls that nodes accepted, by machine. */
    Map<String, Integer> acceptedCalls() {
        JsonObjectReader ledger = HttpJsonClient.get(sites.awaitAddress().resolve("/calls"));
        Map<String, Integer> accepted = new LinkedHashMap<>();
        if (ledger != null && ledger.get("calls") instanceof JsonValue.JsonArray calls) {
            for (JsonValue each : calls.items()) {
                if (each instanceof JsonObjectReader call
                        && call.get("machine") instanceof JsonValue.JsonString machine
                        && call.get("rejected") instanceof JsonValue.JsonBoolean rejected
                        && !rejected.value()) {
                    accepted.merge(machine.value(), 1, Integer::sum);
                }
            }
        }
        return accepted;
    }

    /** The report of the auditor that runs, once it has read all that this process knows of. */
    JsonObjectReader auditReport(long seq) {
        JsonObjectReader[] last = new JsonObjectReader[1];
        URI report0 = processes.get("auditor").awaitAddress().resolve("/report");
        await("the auditor has read the journal", () -> {
            last[0] = HttpJsonClient.get(report0);
            return last[0] != null
                    && last[0].get("caughtUp") instanceof JsonValue.JsonBoolean caughtUp
                    && caughtUp.value()
                    && last[0].get("seq") instanceof JsonValue.JsonInteger read
                    && read.value() >= seq;
        });
        return last[0];
    }

    void note(String line) {
        report.add("%6.1f s  %s".formatted((System.nanoTime() - begunNanos) / 1e9, line));
    }

    List<String> report() {
        return List.copyOf(report);
    }

    @Override
    public void close() {
        processes.values().forEach(ChildProcess::close);
        sites.close();
        broker.kill();
    }
}
