package dev.flotilla.nodeworker.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.testkit.page.GeneratedPart;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each fault ends as it must, and says what an operator needs to know. docs/faults.md is this table. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultTableIT {
    private static final int ENOUGH = 50;
    private static final Path PAGE = Path.of("..", "docs", "faults.md");

    private final Map<Fault, String> lines = new LinkedHashMap<>();
    private Stand.Ground ground;
    private int ended;

    @BeforeAll
    void makeGround() throws Exception {
        ground = Stand.Ground.make();
    }

    static Stream<Fault> faults() {
        return FaultTable.rows().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void ends(Fault fault) throws Exception {
        ended++;
        String line = lineOf(fault);
        assertThat(line).as("what is read of: %s", fault).doesNotContain("TOKEN");
    }

    private String lineOf(Fault fault) throws Exception {
        try (Stand stand = new Stand(ground, fault.cluster())) {
            stand.on(() -> {
                fault.does().to(stand);
                return true;
            });
            List<AttemptReport> said = Driven.toItsEnd(stand);
            AttemptReport end = said.get(said.size() - 1);
            assertThat(Fault.shortly(end)).as("%s, told %s", fault, said).isEqualTo(fault.ends());
            String token = stand.on(() -> stand.node.token());
            assertThat(said.toString()).as("no secret in what is said").doesNotContain(token);
            long received = stand.on(() -> stand.fleet.ledger().calls(stand.node.machine()).stream()
                    .filter(call -> !call.refused())
                    .count());
            assertThat(received)
                    .as("%s: calls that were taken, told %s", fault, said)
                    .isEqualTo(fault.calls());
            String line = "| " + fault.what() + " | " + Fault.shortly(end) + " | " + received + " | "
                    + Fault.text(end).replace("|", "\\|") + " |\n";
            lines.put(fault, line);
            return line;
        }
    }

    @AfterAll
    void thePageIsTheTable() throws Exception {
        ground.vertx().close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        List<Fault> all = FaultTable.rows();
        assertThat(all).hasSizeGreaterThanOrEqualTo(ENOUGH);
        if (ended < all.size()) {
            // Only some of the rows were asked for, which says nothing of the page.
            System.err.println("docs/faults.md is not compared: " + ended + " of " + all.size() + " rows ran");
            return;
        }
        assertThat(lines.keySet())
                .extracting(Fault::what)
                .as("rows that ended as they must")
                .containsExactlyElementsOf(all.stream().map(Fault::what).toList());
        StringBuilder page = new StringBuilder();
        String group = "";
        for (Map.Entry<Fault, String> line : lines.entrySet()) {
            if (!line.getKey().group().equals(group)) {
                group = line.getKey().group();
                page.append("\n### ")
                        .append(group)
                        .append(
                                "\n\n| fault | the attempt ends | calls taken | what is read of it |\n|---|---|---|---|\n");
            }
            page.append(line.getValue());
        }
        page.append('\n');
        assertThat(GeneratedPart.of(PAGE, "faults", page.toString())).isEqualTo(page.toString());
    }

    @Test
    void everyFaultIsThereOnce() {
        assertThat(FaultTable.rows()).extracting(Fault::what).doesNotHaveDuplicates();
    }
}
