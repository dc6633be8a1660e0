package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small demonstrations with all their processes. */
class DemoIT {
    @TempDir
    Path folder;

    @Test
    void aFleetIsUpgradedAndOutcomesAddUp() throws IOException {
        Path endpoints = folder.resolve("endpoints.json");
        Ran ran = PlayedDemo.run(
                "--machines 12 --clusters 4 --sites 2 --cap 4 --fail-rate 0.1 --speed 600 --json - --endpoints "
                        + endpoints);

        assertThat(ran.exit()).as(ran.all()).isZero();
        assertThat(ran.err()).startsWith("Real: broker, orchestrator, auditor").contains("0 violations");
        PlayedDemo shown = PlayedDemo.read(ran.out());
        assertThat(shown.whole("machines")).isEqualTo(12);
        assertThat(List.of("succeeded", "quarantined", "failed", "skipped", "waiting").stream()
                        .mapToLong(name -> shown.whole(name))
                        .sum())
                .isEqualTo(12);
        assertThat(shown.list("notSucceeded")).hasSize((int) (12 - shown.whole("succeeded")));
        assertThat(shown.whole("quarantined")).isEqualTo(1);
        assertThat(shown.whole("maxInFlight")).isBetween(1L, 4L);
        assertThat(shown.whole("refreshCalls")).isGreaterThanOrEqualTo(shown.whole("succeeded"));
        assertThat(shown.whole("invariantsChecked")).isGreaterThan(12);
        assertThat(shown.list("violations")).isEmpty();
        assertThat(shown.texts("real")).containsExactly("broker", "orchestrator", "auditor", "worker", "watcher");
        assertThat(shown.texts("simulated")).containsExactly("kubernetes", "k8sd");
        assertThat(Files.readString(endpoints))
                .contains(
                        "bootstrapServers",
                        "\"page\":",
                        "\"orchestrator\"",
                        "\"auditor\"",
                        "\"worker\"",
                        "\"watcher\"",
                        ".kubeconfig",
                        "ledgerUrl");
    }

    @Test
    void whateverIsKilledIsGotOver() throws IOException {
        Path file = folder.resolve("demo.json");
        Ran ran = PlayedDemo.run("--machines 40 --clusters 8 --sites 2 --cap 4 --fail-rate 0 --speed 150"
                + " --kill leader --kill broker --kill watcher --kill worker --json " + file);

        assertThat(ran.exit()).as(ran.all()).isZero();
        PlayedDemo shown = PlayedDemo.read(Files.readString(file));
        assertThat(shown.whole("succeeded")).isEqualTo(40);
        assertThat(shown.whole("refreshCalls")).isEqualTo(40);
        assertThat(shown.whole("maxInFlight")).isBetween(1L, 8L);
        assertThat(shown.list("violations")).isEmpty();
        assertThat(shown.list("kills"))
                .hasSize(4)
                .allSatisfy(
                        kill -> assertThat(((Obj) kill).get("recoveredSeconds")).isNotInstanceOf(Tree.Nothing.class));
    }
}
