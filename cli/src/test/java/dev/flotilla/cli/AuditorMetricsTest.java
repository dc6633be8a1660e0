package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.program.AuditSnapshot;
import dev.flotilla.testkit.page.GeneratedPageSection;
import dev.flotilla.testkit.page.MetricsReferenceTable;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Compares docs/metrics.md with the auditor's metrics; {@code -Dflotilla.rewrite=true} writes the table again. */
class AuditorMetricsTest {

    @Test
    void metricsPageListsAllMetricsOfTheAuditor() throws IOException {
        TreeMap<String, Long> byLabel = new TreeMap<>();
        byLabel.put("any", 1L);
        AuditSnapshot auditSnapshot =
                new AuditSnapshot(1, 1, byLabel, byLabel, List.of(), byLabel, 0, 0, 0, true, List.of(), List.of());
        String table = MetricsReferenceTable.markdownTable(auditSnapshot.metrics(), List.of());
        assertThat(GeneratedPageSection.readOrRewrite(CliResult.ROOT.resolve("docs/metrics.md"), "auditor", table))
                .as("written again by -Dflotilla.rewrite=true")
                .isEqualTo(table);
    }
}
