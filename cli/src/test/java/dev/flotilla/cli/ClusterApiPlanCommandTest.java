package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@code flotilla cluster-api plan}: exit codes, JSON and problems. */
class ClusterApiPlanCommandTest {
    private static final String FOLDER = "examples/cluster-api/plan/";
    private static final String PRESENT = CliResult.path(FOLDER + "cluster.yaml");

    private static CliResult plan(String... more) {
        String[] args = new String[more.length + 2];
        args[0] = "cluster-api";
        args[1] = "plan";
        System.arraycopy(more, 0, args, 2, more.length);
        return CliResult.flotilla(args);
    }

    @Test
    void exitCodeSaysWhetherAMachineIsReplaced() {
        assertThat(plan(PRESENT, "--change", CliResult.path(FOLDER + "version.yaml"))
                        .exit())
                .isZero();
        CliResult uncovered = plan(PRESENT, "--change", CliResult.path(FOLDER + "files.yaml"), "--json", "-");
        assertThat(uncovered.exit()).isEqualTo(1);
        assertThat(uncovered.out())
                .contains("\"answer\": \"replace\"", "\"replaced\": 5", "spec.files")
                .doesNotContain("token = example");
    }

    @Test
    void problemsAreNamedWithTheirValues() {
        CliResult wrong = plan("absent.yaml", "--change", "absent-too.yaml", "--cluster", "blue");
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err())
                .contains("absent.yaml does not exist", "absent-too.yaml does not exist", "--cluster blue is not");
    }
}
