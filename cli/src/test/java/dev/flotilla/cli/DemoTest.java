package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.tree.Bounds;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Tree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoTest {
    private static final String[] SMALL = {
        "demo", "--machines", "60", "--clusters", "12", "--fail-rate", "0.05", "--speed", "20000"
    };

    @TempDir
    Path folder;

    @Test
    void itsFirstLineSaysThatItIsASimulation() {
        Ran ran = run();

        assertThat(ran.exit()).isZero();
        assertThat(ran.out().lines().findFirst().orElse(""))
                .contains("simulation", "broker", "orchestrator", "auditor", "worker", "watcher", "kubernetes", "k8sd");
        assertThat(ran.out()).contains("succeeded", "efficiency", "0 violations");
    }

    @Test
    void outcomesAddUpAndTheCapHolds() throws IOException {
        Obj json = json();

        assertThat(whole(json, "machines")).isEqualTo(60);
        assertThat(List.of("succeeded", "quarantined", "failed", "skipped", "waiting").stream()
                        .mapToLong(name -> whole(json, name))
                        .sum())
                .isEqualTo(60);
        assertThat(whole(json, "maxInFlight")).isBetween(1L, whole(json, "cap"));
        assertThat(whole(json, "invariantsChecked")).isGreaterThanOrEqualTo(60);
        assertThat(list(json, "violations")).isEmpty();
        assertThat(list(json, "real")).isEmpty();
        assertThat(list(json, "simulated")).hasSize(7);
        assertThat(list(json, "notSucceeded")).hasSize((int) (60 - whole(json, "succeeded")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"leader", "worker", "watcher", "broker"})
    void whatIsKilledIsGotOver(String part) throws IOException {
        Obj json = json("--kill", part);

        assertThat(list(json, "kills")).singleElement().isInstanceOfSatisfying(Obj.class, kill -> {
            assertThat(kill.get("what"))
                    .isEqualTo(new Tree.Text(
                            part, Objects.requireNonNull(kill.get("what")).line()));
            assertThat(kill.get("recoveredSeconds")).isNotInstanceOf(Tree.Nothing.class);
        });
        assertThat(list(json, "violations")).isEmpty();
    }

    @Test
    void jsonHasStdoutForItself() {
        Ran ran = run("--json", "-");

        assertThat(ran.out()).startsWith("{").endsWith("}\n");
        assertThat(ran.err()).startsWith("This is a simulation");
    }

    @Test
    void barsAreDrawnOnATerminalAlone() {
        Ran drawn = Ran.on(100, SMALL);

        assertThat(drawn.err()).contains("canary", "[#", "\u001b[");
        assertThat(run().err()).doesNotContain("\u001b[").doesNotContain("\r");
    }

    private static Ran run(String... more) {
        String[] args = new String[SMALL.length + more.length];
        System.arraycopy(SMALL, 0, args, 0, SMALL.length);
        System.arraycopy(more, 0, args, SMALL.length, more.length);
        return Ran.flotilla(args);
    }

    private Obj json(String... more) throws IOException {
        Path file = folder.resolve("demo.json");
        String[] args = new String[more.length + 2];
        System.arraycopy(more, 0, args, 0, more.length);
        args[more.length] = "--json";
        args[more.length + 1] = file.toString();
        assertThat(run(args).exit()).isZero();
        String text = Files.readString(file);
        Parsed parsed = JsonReader.read(text.getBytes(StandardCharsets.UTF_8), Bounds.RECORD_BYTES);
        assertThat(parsed).isInstanceOf(Parsed.Whole.class);
        return (Obj) ((Parsed.Whole) parsed).tree();
    }

    private static long whole(Obj json, String name) {
        return ((Tree.Whole) Objects.requireNonNull(json.get(name))).value();
    }

    private static List<Tree> list(Obj json, String name) {
        return ((Tree.Arr) Objects.requireNonNull(json.get(name))).items();
    }
}
