package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.Main;
import dev.flotilla.managementwatcher.stub.FakeOrchestrator;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.ComponentClassPaths;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A watcher's process that is killed again and again after it has written, and an API server that restarts. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class KilledWatcherIT {
    private static final String SITE = "killed";
    private static final UpgradeTarget SEVEN = new UpgradeTarget.Revision("7");

    /** Writes before each kill; starting a watcher takes seconds, so most builds allow several. */
    private static final int WRITES_OF_A_LIFE = 8;

    private static final int LEAST_WRITES = 8;

    @TempDir
    private Path folder;

    private LocalKafka kafka;
    private ManagementTestBed bed;
    private WatchedTestSite site;
    private @Nullable ChildProcess process;
    private int writesOfALife;
    private long writes;
    private int kills;

    @BeforeEach
    void start() throws Exception {
        kafka = LocalKafka.start();
        bed = ManagementTestBed.start();
        site = new WatchedTestSite(
                kafka.bootstrap(), SITE, bed.cluster.kubeconfig(ManagementTestBed.WATCHER), "default");
        bed.cluster("blue");
        bed.applyOwner("machinedeployments", "pool", "blue", 2, "");
        bed.applyMachine("alone", "blue");
        for (String each : List.of("w-0", "w-1")) {
            bed.applyMachine(each, "blue", ", labels: {cluster.x-k8s.io/deployment-name: pool}");
        }
    }

    @AfterEach
    void stop() throws Exception {
        if (process != null) {
            process.kill();
        }
        site.close();
        bed.close();
        kafka.close();
    }

    @Test
    void annotationsConvergeWhenTheWatcherIsKilled() throws Exception {
        upgradeWhileKillingAfterWrites(WRITES_OF_A_LIFE);
    }

    @Test
    @Tag("nightly")
    void annotationsConvergeWhenTheWatcherDiesAfterAnyWrite() throws Exception {
        upgradeWhileKillingAfterWrites(1);
    }

    private void upgradeWhileKillingAfterWrites(int writesBeforeKill) throws Exception {
        writesOfALife = writesBeforeKill;
        try {
            upgradeOneThatFailsFirst();
            bed.cluster.restart();
            upgradeAnOwner();
            assertEndState();
        } catch (AssertionError e) {
            throw new AssertionError(Files.readString(folder.resolve("watcher.log")), e);
        }
    }

    private void upgradeOneThatFailsFirst() {
        FakeOrchestrator orchestrator = new FakeOrchestrator(site);
        MachineKey alone = site.machine("alone");
        bed.setUpgradeTo("alone", "revision=7");
        awaitWhileKilling("its intent", () -> site.readIntent(alone) != null);
        RolloutRef rolloutRef = FakeOrchestrator.rolloutRefOf(orchestrator.awaitIntent(alone));
        orchestrator.admitAttempt(alone, rolloutRef, SEVEN);
        orchestrator.reportRefreshing(alone, rolloutRef, SEVEN, "41");
        awaitWhileKilling("its start", () -> "41".equals(bed.readUpgradeAnnotation("alone", "change-id")));
        orchestrator.reportFailure(alone, rolloutRef, "the snap is broken");
        awaitWhileKilling("its failure", () -> "failed".equals(bed.readUpgradeAnnotation("alone", "status")));
        orchestrator.admitAttempt(alone, rolloutRef, SEVEN);
        orchestrator.reportRefreshing(alone, rolloutRef, SEVEN, "42");
        awaitWhileKilling("its second start", () -> "42".equals(bed.readUpgradeAnnotation("alone", "change-id")));
        // Another request, written before the watcher knows of the end.
        bed.setUpgradeTo("alone", "revision=8");
        orchestrator.reportSuccess(alone, rolloutRef);
        awaitWhileKilling("its end", () -> "done".equals(bed.readUpgradeAnnotation("alone", "status")));
        awaitWhileKilling(
                "the other intent",
                () -> site.readIntent(alone) instanceof UpgradeIntent other
                        && other.target().equals(new UpgradeTarget.Revision("8")));
    }

    private void upgradeAnOwner() {
        FakeOrchestrator orchestrator = new FakeOrchestrator(site);
        OwnerKey owner = new OwnerKey(site.id, OwnerKind.MACHINE_DEPLOYMENT, "default", "pool");
        bed.annotate("machinedeployments", "pool", ManagementTestBed.KEYS + "to", "revision=7");
        awaitWhileKilling("the owner's intent", () -> site.readIntent(owner) != null);
        UpgradeIntent intent = orchestrator.awaitIntent(owner);
        RolloutRef rolloutRef = FakeOrchestrator.rolloutRefOf(intent);
        orchestrator.writeIntentStatus(intent, IntentStatus.IntentState.IN_PROGRESS, site.machine("w-0"), 2, 0);
        for (String each : List.of("w-0", "w-1")) {
            orchestrator.runUpgrade(site.machine(each), rolloutRef, SEVEN);
            awaitWhileKilling(
                    "the end of " + each, () -> "revision=7".equals(bed.readUpgradeAnnotation(each, "release")));
        }
        orchestrator.writeIntentStatus(intent, IntentStatus.IntentState.DONE, null, 2, 2);
        awaitWhileKilling(
                "the owner's end",
                () -> Objects.equals(
                        readAnnotations("machinedeployments", "pool"),
                        Map.of(
                                "status", "done",
                                "release", "revision=7",
                                "default-release", "revision=7",
                                "last-fulfilled", "revision=7")));
        awaitWhileKilling("no intent", () -> site.readIntent(owner) == null);
    }

    /** The end state follows from the tables of {@code docs/annotations.md}. */
    private void assertEndState() {
        assertThat(readAnnotations("machines", "alone"))
                .isEqualTo(Map.of("to", "revision=8", "status", "done", "release", "revision=7"));
        for (String each : List.of("w-0", "w-1")) {
            assertThat(readAnnotations("machines", each)).isEqualTo(Map.of("status", "done", "release", "revision=7"));
        }
        assertThat(bed.readEvents("pool").stream().filter(event -> event.endsWith("In-place upgrade is done")))
                .hasSizeLessThanOrEqualTo(1);
        assertThat(kills).as("kills").isGreaterThanOrEqualTo(LEAST_WRITES / writesOfALife);
    }

    private Map<String, String> readAnnotations(String plural, String name) {
        Map<String, String> shown = new TreeMap<>();
        KubeObject annotations = bed.readObject(plural, name).object("metadata", "annotations");
        for (int i = 0; i < annotations.json().size(); i++) {
            String key = annotations.json().name(i);
            shown.put(key.replaceFirst(".*/(in-place-upgrade-)?", ""), Objects.requireNonNull(annotations.text(key)));
        }
        return shown;
    }

    /** Waits, and kills the watcher whenever it has written often enough. */
    private void awaitWhileKilling(String what, BooleanSupplier condition) {
        site.await(what, () -> {
            long now = countWrites();
            if (process == null || !process.isAlive() || now >= writes + writesOfALife) {
                writes = now;
                restartWatcher();
            }
            return condition.getAsBoolean();
        });
    }

    private long countWrites() {
        try (var lines = Files.lines(bed.cluster.auditLog())) {
            return lines.filter(line -> line.contains("\"" + ManagementTestBed.WATCHER + "\"")
                            && (line.contains("\"verb\":\"patch\"") || line.contains("\"verb\":\"create\"")))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void restartWatcher() {
        if (process != null) {
            kills++;
            process.kill();
        }
        String classPath = ComponentClassPaths.own();
        process = ChildProcess.startJvm(
                "watcher",
                folder,
                classPath,
                ChildProcess.quickStartOptions(classPath),
                Main.class.getName(),
                List.of(
                        "--bootstrap",
                        kafka.bootstrap(),
                        "--instance",
                        "w" + kills,
                        "--site",
                        SITE,
                        "--kubeconfig",
                        bed.cluster.kubeconfig(ManagementTestBed.WATCHER).toString()));
    }
}
