package dev.flotilla.cli.campaign;

import dev.flotilla.nodeworker.checks.CelExpression;
import dev.flotilla.schemas.json.file.CampaignFileReader;
import dev.flotilla.schemas.json.file.FileProblem;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.RejectionReason;
import java.util.ArrayList;
import java.util.List;

/** Reads a campaign's manifest and compiles the CEL expressions of its checks, which the orchestrator does not. */
final class CampaignManifestReader {
    private static final String HINT =
            "the expression sees object, in a list also objects, and site, cluster, machine and node";

    private CampaignManifestReader() {}

    static FileReadResult<Campaign> read(String text) {
        FileReadResult<Campaign> result = CampaignFileReader.read(text);
        if (!(result instanceof FileReadResult.ValidFile<Campaign> valid)) {
            return result;
        }
        CampaignChecks checks = valid.value().spec().checks();
        List<FileProblem> problems = new ArrayList<>();
        addProblems(text, "before", checks.beforeCall(), problems);
        addProblems(text, "after", checks.afterCall(), problems);
        return problems.isEmpty() ? result : new FileReadResult.InvalidFile<>(problems);
    }

    private static void addProblems(String text, String list, List<HealthCheck> checks, List<FileProblem> into) {
        for (int i = 0; i < checks.size(); i++) {
            String problem = checks.get(i).probe() instanceof HealthCheck.CelProbe probe
                    ? CelExpression.findProblem(probe)
                    : null;
            if (problem != null) {
                HealthCheck.CelProbe probe =
                        (HealthCheck.CelProbe) checks.get(i).probe();
                into.add(new FileProblem(
                        RejectionReason.BAD_VALUE,
                        "spec.checks." + list + "[" + i + "].cel.expression",
                        lineOf(text, probe.expression()),
                        probe.expression(),
                        problem,
                        HINT));
            }
        }
    }

    /** The line on which a single-line expression is; 0 for any other. */
    private static int lineOf(String text, String expression) {
        int at = text.indexOf(expression);
        return at < 0
                ? 0
                : (int) text.substring(0, at)
                                .chars()
                                .filter(each -> each == '\n')
                                .count()
                        + 1;
    }
}
