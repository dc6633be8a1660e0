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

/** Runs each fault of the table and compares its end and message. docs/faults.md shows the table. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultCaseTableIT {
    private static final int ENOUGH = 50;
    private static final Path PAGE = Path.of("..", "docs", "faults.md");

    private final Map<FaultCase, String> lines = new LinkedHashMap<>();
    private FaultTestBed.SharedTestResources sharedTestResources;
    private int ended;

    @BeforeAll
    void openResources() throws Exception {
        sharedTestResources = FaultTestBed.SharedTestResources.make();
    }

    static Stream<FaultCase> faults() {
        return FaultCaseTable.rows().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void endsAsExpected(FaultCase faultCase) throws Exception {
        ended++;
        String line = lineOf(faultCase);
        assertThat(line).as("message of %s", faultCase).doesNotContain("TOKEN");
    }

    private String lineOf(FaultCase faultCase) throws Exception {
        try (FaultTestBed faultTestBed = new FaultTestBed(sharedTestResources, faultCase.cluster())) {
            faultTestBed.on(() -> {
                faultCase.action().inject(faultTestBed);
                return true;
            });
            List<AttemptReport> reports = UpgradeProcedureRunner.toItsEnd(faultTestBed);
            AttemptReport end = reports.get(reports.size() - 1);
            assertThat(FaultCase.describe(end))
                    .as("%s, reported %s", faultCase, reports)
                    .isEqualTo(faultCase.expectedEnd());
            String token = faultTestBed.on(() -> faultTestBed.node.token());
            assertThat(reports.toString()).as("no secret in the reports").doesNotContain(token);
            long received =
                    faultTestBed.on(() -> faultTestBed.fleet.ledger().calls(faultTestBed.node.machine()).stream()
                            .filter(call -> !call.rejected())
                            .count());
            assertThat(received)
                    .as("%s: calls that were accepted, reported %s", faultCase, reports)
                    .isEqualTo(faultCase.calls());
            String line = "| " + faultCase.title() + " | " + FaultCase.describe(end) + " | " + received + " | "
                    + FaultCase.text(end).replace("|", "\\|") + " |\n";
            lines.put(faultCase, line);
            return line;
        }
    }

    @AfterAll
    void pageShowsTheTable() throws Exception {
        sharedTestResources
                .vertx()
                .close()
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        List<FaultCase> all = FaultCaseTable.rows();
        assertThat(all).hasSizeGreaterThanOrEqualTo(ENOUGH);
        if (ended < all.size()) {
            // Only some of the rows ran, so the page cannot be compared.
            System.err.println("docs/faults.md is not compared: " + ended + " of " + all.size() + " rows ran");
            return;
        }
        assertThat(lines.keySet())
                .extracting(FaultCase::title)
                .as("rows that ended as expected")
                .containsExactlyElementsOf(all.stream().map(FaultCase::title).toList());
        StringBuilder page = new StringBuilder();
        String group = "";
        for (Map.Entry<FaultCase, String> line : lines.entrySet()) {
            if (!line.getKey().group().equals(group)) {
                group = line.getKey().group();
                page.append("\n### ")
                        .append(group)
                        .append("\n\n"
                                + "| fault | end of the attempt | calls accepted | message |\n"
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
        assertThat(FaultCaseTable.rows()).extracting(FaultCase::title).doesNotHaveDuplicates();
    }
}
