package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small demonstrations with real processes. */
@Tag("nightly")
class DemoIT {
    @TempDir
    Path folder;

    @Test
    void upgradesAFleetWhileProcessesAreKilledAndCountsEveryMachine() throws IOException {
        Path endpoints = folder.resolve("endpoints.json");
        CliResult cliResult =
                DemoRunOutput.run("--machines 40 --clusters 8 --sites 2 --cap 4 --fail-rate 0.05 --speed 200"
                        + " --kill leader --kill broker --kill watcher --kill worker --json - --endpoints "
                        + endpoints);

        assertThat(cliResult.exit()).as(cliResult.all()).isZero();
        assertThat(cliResult.err())
                .startsWith("Real: broker, orchestrator, auditor")
                .contains("the live page is at http://127.0.0.1:", "canary ", "first ", "rest ", "0 violations");
        DemoRunOutput shown = DemoRunOutput.read(cliResult.out());
        assertThat(shown.whole("machines")).isEqualTo(40);
        assertThat(List.of("succeeded", "quarantined", "failed", "skipped", "waiting").stream()
                        .mapToLong(shown::whole)
                        .sum())
                .isEqualTo(40);
        assertThat(shown.whole("quarantined")).isEqualTo(2);
        // Workers wait behind a failed control-plane member of their cluster.
        long succeeded = shown.whole("succeeded");
        assertThat(succeeded).isEqualTo(38 - shown.whole("waiting")).isGreaterThan(20);
        List<JsonValue> others = shown.list("notSucceeded");
        assertThat(others).hasSize((int) (40 - succeeded));
        long theirs = others.stream()
                .mapToLong(each -> calls((JsonObjectReader) each))
                .sum();
        assertThat(shown.whole("refreshCalls") - theirs)
                .as("calls of machines that succeeded")
                .isEqualTo(succeeded);
        assertThat(shown.whole("maxInFlight")).isBetween(1L, 4L);
        assertThat(shown.whole("invariantsChecked")).isGreaterThan(40);
        assertThat(shown.list("violations")).isEmpty();
        assertThat(shown.list("kills"))
                .hasSize(4)
                .allSatisfy(kill -> assertThat(((JsonObjectReader) kill).get("recoveredSeconds"))
                        .isNotInstanceOf(JsonValue.JsonNull.class));
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
    void upgradesMachinesOfBothProvidersWhileProcessesAreKilled() {
        CliResult cliResult = DemoRunOutput.run(
                "--provider mixed --machines 24 --clusters 6 --sites 1 --cap 6 --fail-rate 0 --speed 100"
                        + " --kill worker --kill leader --json -");

        assertThat(cliResult.exit()).as(cliResult.all()).isZero();
        DemoRunOutput shown = DemoRunOutput.read(cliResult.out());
        assertThat(shown.whole("succeeded")).as(cliResult.all()).isEqualTo(24);
        assertThat(shown.wholes("providers")).isEqualTo(Map.of("k8sd", 12L, "node-upgrade", 12L));
        assertThat(shown.whole("upgraderObjects"))
                .as("NodeUpgrades, at most one for each attempt")
                .isBetween(12L, 12L + shown.list("kills").size());
        assertThat(shown.list("violations")).isEmpty();
        assertThat(shown.list("campaigns")).hasSize(2);
        assertThat(shown.texts("real")).contains("node-upgrader");
        assertThat(shown.texts("simulated")).containsExactly("kubernetes", "k8sd", "kubelet");
    }

    private static long calls(JsonObjectReader machine) {
        return ((JsonValue.JsonInteger) Objects.requireNonNull(machine.get("calls"))).value();
    }
}
