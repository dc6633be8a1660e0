package dev.flotilla.nodeupgrader.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeupgrader.Main;
import dev.flotilla.nodeupgrader.NodeUpgraderProcess;
import dev.flotilla.runtime.process.CrashInjection;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node-upgrader that dies right before a write, and another that goes on. */
@Tag("nightly")
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class KilledUpgraderIT {
    private static final long TIMEOUT_SECONDS = 120;

    @TempDir
    private static Path folder;

    private static UpgraderTestBed bed;

    @BeforeAll
    static void start() throws Exception {
        bed = new UpgraderTestBed(folder);
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    private static Process startProcess(String crashPoint) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-D" + CrashInjection.PROPERTY + "=" + crashPoint,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--kubeconfig",
                        bed.upgraderKubeconfig().toString())
                .redirectErrorStream(true)
                .redirectOutput(
                        folder.resolve(crashPoint.replace(':', '-') + ".log").toFile())
                .start();
    }

    @ParameterizedTest
    @CsvSource({
        "status:1, false, Succeeded",
        "status:2, false, Succeeded",
        "create-job:1, false, Succeeded",
        "wait:2, false, Succeeded",
        "create-result-pod:1, false, Succeeded",
        "suspend-job:1, true, Aborted",
        "delete-result-pod:1, true, Aborted"
    })
    void anotherContinuesAndRepeatsNoStep(String crashPoint, boolean aborted, String phase) throws Exception {
        String name = "w-1-" + crashPoint.replace(':', '-');
        Path ran = folder.resolve(name + ".ran");
        Path go = folder.resolve(name + ".go");
        bed.createPlan(name, """
                [{name: one, image: i, command: [sh, -c, 'echo one >>%s; until [ -f %s ]; do sleep 0.05; done']},
                 {name: two, image: i, command: [sh, -c, 'echo two >>%s']}]""".formatted(ran, go, ran));
        Process dies = startProcess(crashPoint);
        bed.createUpgrade(
                name,
                UpgradeObjects.spec("")
                        .replace("version=v1.36.3", "version=v1.36.1")
                        .replace("plan: example", "plan: " + name));
        if (aborted) {
            bed.awaitUpgrade(name, seen -> Files.exists(ran));
            bed.abort(name);
        } else if (crashPoint.startsWith("create-result-pod")) {
            Files.writeString(go, "");
        }
        assertThat(dies.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(dies.exitValue()).isEqualTo(CrashInjection.EXIT);
        try (NodeUpgraderProcess next = bed.startUpgrader()) {
            if (aborted) {
                bed.awaitSuspended(name);
            }
            Files.writeString(go, "");
            KubeObject ended = bed.awaitEnd(name);
            assertThat(next.url()).isNotEmpty();
            assertThat(ended.text("status", "phase"))
                    .as(ended.text("status", "failureMessage"))
                    .isEqualTo(phase);
        }
        assertThat(Files.readAllLines(ran)).isEqualTo(aborted ? List.of("one") : List.of("one", "two"));
    }
}
