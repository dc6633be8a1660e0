package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Tree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small demonstrations with all their processes. */
class DemoIT {
    private static final int MOST_BYTES = 1 << 20;

    @TempDir
    Path folder;

    @Test
    void aFleetIsUpgradedAndOutcomesAddUp() throws IOException {
        Path endpoints = folder.resolve("endpoints.json");
        Ran ran = demo("--machines 12 --clusters 4 --sites 2 --cap 4 --fail-rate 0.1 --speed 600 --json - --endpoints "
                + endpoints);

        assertThat(ran.exit()).as(ran.all()).isZero();
        assertThat(ran.err()).startsWith("Real: broker, orchestrator, auditor").contains("0 violations");
        Obj json = read(ran.out());
        assertThat(whole(json, "machines")).isEqualTo(12);
        assertThat(List.of("succeeded", "quarantined", "failed", "skipped", "waiting").stream()
                        .mapToLong(name -> whole(json, name))
                        .sum())
                .isEqualTo(12);
        assertThat(list(json, "notSucceeded")).hasSize((int) (12 - whole(json, "succeeded")));
        assertThat(whole(json, "quarantined")).isEqualTo(1);
        assertThat(whole(json, "maxInFlight")).isBetween(1L, 4L);
        assertThat(whole(json, "refreshCalls")).isGreaterThanOrEqualTo(whole(json, "succeeded"));
        assertThat(whole(json, "invariantsChecked")).isGreaterThan(12);
        assertThat(list(json, "violations")).isEmpty();
        assertThat(texts(json, "real")).containsExactly("broker", "orchestrator", "auditor", "worker");
        assertThat(texts(json, "simulated")).containsExactly("watcher", "kubernetes", "k8sd");
        assertThat(Files.readString(endpoints))
                .contains(
                        "bootstrapServers",
                        "\"page\":",
                        "\"orchestrator\"",
                        "\"auditor\"",
                        "\"worker\"",
                        ".kubeconfig",
                        "ledgerUrl");
    }

    @Test
    void whateverIsKilledIsGotOver() throws IOException {
        Path file = folder.resolve("demo.json");
        Ran ran = demo("--machines 40 --clusters 8 --sites 2 --cap 4 --fail-rate 0 --speed 150"
                + " --kill leader --kill broker --kill watcher --kill worker --json " + file);

        assertThat(ran.exit()).as(ran.all()).isZero();
        Obj json = read(Files.readString(file));
        assertThat(whole(json, "succeeded")).isEqualTo(40);
        assertThat(whole(json, "refreshCalls")).isEqualTo(40);
        assertThat(whole(json, "maxInFlight")).isBetween(1L, 8L);
        assertThat(list(json, "violations")).isEmpty();
        assertThat(list(json, "kills"))
                .hasSize(4)
                .allSatisfy(
                        kill -> assertThat(((Obj) kill).get("recoveredSeconds")).isNotInstanceOf(Tree.Nothing.class));
    }

    private static Ran demo(String options) {
        List<String> args = new ArrayList<>(List.of("demo"));
        args.addAll(List.of(options.split(" ")));
        return Ran.flotilla(args.toArray(String[]::new));
    }

    private static Obj read(String text) {
        Parsed parsed = JsonReader.read(text.getBytes(StandardCharsets.UTF_8), MOST_BYTES);
        assertThat(parsed).isInstanceOf(Parsed.Whole.class);
        return (Obj) ((Parsed.Whole) parsed).tree();
    }

    private static long whole(Obj json, String name) {
        return ((Tree.Whole) Objects.requireNonNull(json.get(name))).value();
    }

    private static List<Tree> list(Obj json, String name) {
        return ((Tree.Arr) Objects.requireNonNull(json.get(name))).items();
    }

    private static List<String> texts(Obj json, String name) {
        return list(json, name).stream().map(each -> ((Tree.Text) each).value()).toList();
    }
}
