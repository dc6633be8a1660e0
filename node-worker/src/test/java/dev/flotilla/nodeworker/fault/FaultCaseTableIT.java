package dev.flotilla.nodeworker.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.testkit.page.GeneratedPageSection;
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
class FaultCaseTableIT {
    private static final int ENOUGH = 50;
    private static final Path PAGE = Path.of("..", "docs", "faults.md");

    private final Map<FaultCase, String> lines = new LinkedHashMap<>();
    private FaultTestBed.SharedTestResources sharedTestResources;
    private int ended;

    @BeforeAll
    void makeGround() throws Exception {
        sharedTestResources = FaultTestBed.SharedTestResources.make();
    }

    static Stream<FaultCase> faults() {
        return FaultCaseTable.rows().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void ends(FaultCase faultCase) throws Exception {
        ended++;
        String line = lineOf(faultCase);
        assertThat(line).as("what is read of: %s", faultCase).doesNotContain("TOKEN");
    }

    private String lineOf(FaultCase faultCase) throws Exception {
        try (FaultTestBed faultTestBed = new FaultTestBed(sharedTestResources, faultCase.cluster())) {
            faultTestBed.on(() -> {
                faultCase.does().to(faultTestBed);
                return true;
            });
            List<AttemptReport> said = UpgradeProcedureRunner.toItsEnd(faultTestBed);
            AttemptReport end = said.get(said.size() - 1);
            assertThat(FaultCase.shortly(end))
                    .as("%s, told %s", faultCase, said)
                    .isEqualTo(faultCase.ends());
            String token = faultTestBed.on(() -> faultTestBed.node.token());
            assertThat(said.toString()).as("no secret in what is said").doesNotContain(token);
            long received =
                    faultTestBed.on(() -> faultTestBed.fleet.ledger().calls(faultTestBed.node.machine()).stream()
                            .filter(call -> !call.rejected())
                            .count());
            assertThat(received)
                    .as("%s: calls that were taken, told %s", faultCase, said)
                    .isEqualTo(faultCase.calls());
            String line = "| " + faultCase.what() + " | " + FaultCase.shortly(end) + " | " + received + " | "
                    + FaultCase.text(end).replace("|", "\\|") + " |\n";
            lines.put(faultCase, line);
            return line;
        }
    }

    @AfterAll
    void thePageIsTheTable() throws Exception {
        sharedTestResources
                .vertx()
                .close()
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        List<FaultCase> all = FaultCaseTable.rows();
        assertThat(all).hasSizeGreaterThanOrEqualTo(ENOUGH);
        if (ended < all.size()) {
            // Only some of the rows were asked for, which says nothing of the page.
            System.err.println("docs/faults.md is not compared: " + ended + " of " + all.size() + " rows ran");
            return;
        }
        assertThat(lines.keySet())
                .extracting(FaultCase::what)
                .as("rows that ended as they must")
                .containsExactlyElementsOf(all.stream().map(FaultCase::what).toList());
        StringBuilder page = new StringBuilder();
        String group = "";
        for (Map.Entry<FaultCase, String> line : lines.entrySet()) {
            if (!line.getKey().group().equals(group)) {
                group = line.getKey().group();
                page.append("\n### ")
                        .append(group)
                        .append("\n\n"
                                + "| fault | the attempt ends | calls taken | what is read of it |\n"
                                + "|---|---|---|---|\n");
            }
            page.append(line.getValue());
        }
        page.append('\n');
        assertThat(GeneratedPageSection.readOrRewrite(PAGE, "faults", page.toString()))
                .isEqualTo(page.toString());
    }

    @Test
    void everyFaultIsInTheTableOnce() {
        assertThat(FaultCaseTable.rows()).extracting(FaultCase::what).doesNotHaveDuplicates();
    }
}
