package dev.flotilla.cli;

import dev.flotilla.cli.demo.DemoCampaign;
import dev.flotilla.cli.demo.DemoSpec;
import dev.flotilla.cli.demo.DemoTableFollower;
import dev.flotilla.cli.demo.MachineStatusTracker;
import dev.flotilla.cli.demo.stage.DemoProcesses;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.sites.EmbeddedSites;
import dev.flotilla.testkit.sites.SitesSpec;
import dev.flotilla.testkit.tables.TableWriter;
import dev.flotilla.testkit.tables.TopicCreator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * A small demonstration with all components in this process, run by the launcher to create a class data sharing
 * archive: processes that use the archive start in half the time. Its result does not matter.
 */
public final class ClassArchiveTraining {
    private static final SiteId SITE = new SiteId("site-1");
    private static final DemoSpec FEW = new DemoSpec(new SitesSpec(1, 1, 3, 0, 1, 600), 0, 1, false);
    private static final Duration TICK = Duration.ofMillis(100);
    private static final long MOST_SECONDS = 120;

    private ClassArchiveTraining() {}

    /** Runs the small demonstration. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Executor late = CompletableFuture.delayedExecutor(MOST_SECONDS, TimeUnit.SECONDS);
        late.execute(() -> Runtime.getRuntime().halt(1));
        FlotillaCommandLine.run(Terminal.ofProcess(), "version");
        FlotillaCommandLine.run(Terminal.ofProcess(), "demo", "--help");
        Path folder = Path.of(args[0]);
        Files.createDirectories(folder);
        try (LocalKafka kafka = LocalKafka.start()) {
            play(kafka.bootstrap(), folder);
        }
        // Stops the remaining threads.
        Runtime.getRuntime().halt(0);
    }

    private static void play(String bootstrap, Path folder) throws IOException, InterruptedException {
        TopicCreator.createTopics(bootstrap, List.of(SITE));
        write(
                bootstrap,
                Table.POLICIES,
                DemoCampaign.policy(FEW.cap(), FEW.sites().providers()));
        EmbeddedSites.start(FEW.sites(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), folder, false);
        dev.flotilla.orchestrator.Main.main(
                DemoProcesses.orchestrator(bootstrap, "rehearsal").toArray(String[]::new));
        String kubeconfig =
                folder.resolve(EmbeddedSites.kubeconfig(SITE.name())).toString();
        String k8sd = Files.readString(folder.resolve(EmbeddedSites.K8SD));
        dev.flotilla.managementwatcher.Main.main(
                DemoProcesses.watcher(bootstrap, "rehearsal", SITE, kubeconfig).toArray(String[]::new));
        dev.flotilla.nodeworker.Main.main(DemoProcesses.worker(bootstrap, "rehearsal", SITE, kubeconfig, k8sd)
                .toArray(String[]::new));
        MachineStatusTracker board = new MachineStatusTracker(FEW);
        try (DemoTableFollower demoTableFollower = new DemoTableFollower(bootstrap, FEW, board, event -> {})) {
            while (!demoTableFollower.isFleetComplete(FEW)) {
                demoTableFollower.poll(TICK);
            }
            DemoCampaign.campaigns(FEW.sites().providers())
                    .forEach(campaign -> write(bootstrap, Table.CAMPAIGNS, campaign));
            while (board.ended() < board.machines().size()) {
                demoTableFollower.poll(TICK);
            }
        }
    }

    private static void write(String bootstrap, Table table, TableRow row) {
        try (TableWriter writer = new TableWriter(bootstrap, failure -> {
            throw new IllegalStateException("writing to " + table.label(), failure);
        })) {
            writer.write(TablePartition.of(table), row, () -> {});
            writer.flush();
        }
    }
}
