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
import java.io.File;
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

/** A watcher's process that is killed again and again once it has written, and an API server that goes and comes. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class KilledWatcherIT {
    private static final String SITE = "killed";
    private static final UpgradeTarget SEVEN = new UpgradeTarget.Revision("7");

    /** A start of a watcher takes seconds: in most builds it lives for so many writes. */
    private static final int SOME = 8;

    private static final int LEAST_WRITES = 8;

    @TempDir
    private Path folder;

    private LocalKafka kafka;
    private ManagementTestBed bed;
    private WatchedTestSite site;
    private @Nullable Process process;
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
        bed.owner("machinedeployments", "pool", "blue", 2, "");
        bed.machine("alone", "blue");
        for (String each : List.of("w-0", "w-1")) {
            bed.machine(each, "blue", ", labels: {cluster.x-k8s.io/deployment-name: pool}");
        }
    }

    @AfterEach
    void stop() throws Exception {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
        site.close();
        bed.close();
        kafka.close();
    }

    @Test
    void inTheEndTheAnnotationsAreWhatTheTablesSay() throws Exception {
        dyingAfterEach(SOME);
    }

    @Test
    @Tag("nightly")
    void norDoesItMatterAfterWhichWriteItDies() throws Exception {
        dyingAfterEach(1);
    }

    private void dyingAfterEach(int some) throws Exception {
        writesOfALife = some;
        try {
            upgradeOneThatFailsFirst();
            bed.cluster.restart();
            upgradeAnOwner();
            theEnd();
        } catch (AssertionError e) {
            throw new AssertionError(Files.readString(folder.resolve("watcher.log")), e);
        }
    }

    private void upgradeOneThatFailsFirst() {
        FakeOrchestrator brain = new FakeOrchestrator(site);
        MachineKey alone = site.machine("alone");
        bed.wish("alone", "revision=7");
        await("its intent", () -> site.intent(alone) != null);
        RolloutRef rolloutRef = FakeOrchestrator.driver(brain.intent(alone));
        brain.admits(alone, rolloutRef, SEVEN);
        brain.refreshes(alone, rolloutRef, SEVEN, "41");
        await("its beginning", () -> "41".equals(bed.documented("alone", "change-id")));
        brain.fails(alone, rolloutRef, "the snap is broken");
        await("its failure", () -> "failed".equals(bed.documented("alone", "status")));
        brain.admits(alone, rolloutRef, SEVEN);
        brain.refreshes(alone, rolloutRef, SEVEN, "42");
        await("its second beginning", () -> "42".equals(bed.documented("alone", "change-id")));
        // Another wish, written before the watcher knows of the end.
        bed.wish("alone", "revision=8");
        brain.succeeds(alone, rolloutRef);
        await("its end", () -> "done".equals(bed.documented("alone", "status")));
        await(
                "the other wish",
                () -> site.intent(alone) instanceof UpgradeIntent other
                        && other.target().equals(new UpgradeTarget.Revision("8")));
    }

    private void upgradeAnOwner() {
        FakeOrchestrator brain = new FakeOrchestrator(site);
        OwnerKey owner = new OwnerKey(site.id, OwnerKind.MACHINE_DEPLOYMENT, "default", "pool");
        bed.annotate("machinedeployments", "pool", ManagementTestBed.KEYS + "to", "revision=7");
        await("the owner's intent", () -> site.intent(owner) != null);
        UpgradeIntent intent = brain.intent(owner);
        RolloutRef rolloutRef = FakeOrchestrator.driver(intent);
        brain.says(intent, IntentStatus.IntentState.IN_PROGRESS, site.machine("w-0"), 2, 0);
        for (String each : List.of("w-0", "w-1")) {
            brain.upgrades(site.machine(each), rolloutRef, SEVEN);
            await("the end of " + each, () -> "revision=7".equals(bed.documented(each, "release")));
        }
        brain.says(intent, IntentStatus.IntentState.DONE, null, 2, 2);
        await(
                "the owner's end",
                () -> Objects.equals(
                        shown("machinedeployments", "pool"),
                        Map.of(
                                "status", "done",
                                "release", "revision=7",
                                "standing-release", "revision=7",
                                "fulfilled", "revision=7")));
        await("no intent", () -> site.intent(owner) == null);
    }

    /** Written by hand from the tables of {@code docs/annotations.md}. */
    private void theEnd() {
        assertThat(shown("machines", "alone"))
                .isEqualTo(Map.of("to", "revision=8", "status", "done", "release", "revision=7"));
        for (String each : List.of("w-0", "w-1")) {
            assertThat(shown("machines", each)).isEqualTo(Map.of("status", "done", "release", "revision=7"));
        }
        assertThat(bed.events("pool").stream().filter(event -> event.endsWith("In-place upgrade is done")))
                .hasSizeLessThanOrEqualTo(1);
        assertThat(kills).as("kills").isGreaterThanOrEqualTo(LEAST_WRITES / writesOfALife);
    }

    private Map<String, String> shown(String plural, String name) {
        Map<String, String> shown = new TreeMap<>();
        KubeObject annotations = bed.read(plural, name).object("metadata", "annotations");
        for (int i = 0; i < annotations.json().size(); i++) {
            String key = annotations.json().name(i);
            shown.put(key.replaceFirst(".*/(in-place-upgrade-)?", ""), Objects.requireNonNull(annotations.text(key)));
        }
        return shown;
    }

    /** Waits, and kills the watcher meanwhile whenever it has written. */
    private void await(String what, BooleanSupplier condition) {
        site.await(what, () -> {
            long now = written();
            if (process == null || !process.isAlive() || now >= writes + writesOfALife) {
                writes = now;
                again();
            }
            return condition.getAsBoolean();
        });
    }

    private long written() {
        try (var lines = Files.lines(bed.cluster.auditLog())) {
            return lines.filter(line -> line.contains("\"" + ManagementTestBed.WATCHER + "\"")
                            && (line.contains("\"verb\":\"patch\"") || line.contains("\"verb\":\"create\"")))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void again() {
        try {
            if (process != null) {
                kills++;
                process.destroyForcibly().waitFor();
            }
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "--bootstrap",
                            kafka.bootstrap(),
                            "--instance",
                            "w" + kills,
                            "--site",
                            SITE,
                            "--kubeconfig",
                            bed.cluster.kubeconfig(ManagementTestBed.WATCHER).toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(folder.toFile(), "watcher.log")))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
