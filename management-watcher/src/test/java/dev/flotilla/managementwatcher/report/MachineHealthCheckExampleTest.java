package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.view.MachineTaskCondition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The example that {@code MachineHealthCheckIT} applies to real Cluster API. */
class MachineHealthCheckExampleTest {
    private static final Path EXAMPLE = Path.of("../examples/cluster-api/machine-health-checks.yaml");
    private static final Path PAGE = Path.of("../docs/upgrade-task.md");

    @Test
    void everyCheckMatchesTheConditionOfAFinalFailure() throws Exception {
        MachineTaskCondition condition = MachineTaskCondition.upgradeFailed("disk-full", "no space left");

        assertThat(Arrays.stream(Files.readString(EXAMPLE).split("(?m)^---$")))
                .hasSize(2)
                .allMatch(each -> each.contains(
                        "- type: " + condition.type() + "\n        status: \"" + condition.status() + "\"\n"));
    }

    @Test
    void pageShowsTheCheckOfTheWorkers() throws Exception {
        String example = Files.readString(EXAMPLE);
        String workers = example.substring(example.indexOf("apiVersion:"), example.indexOf("---"));

        assertThat(Files.readString(PAGE)).contains("```yaml\n" + workers + "```\n");
    }
}
