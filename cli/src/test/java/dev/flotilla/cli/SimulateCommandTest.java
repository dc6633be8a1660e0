package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateCommandTest {
    @TempDir
    Path folder;

    @Test
    void runsAndCountsSeeds() throws IOException {
        Path file = folder.resolve("seeds.json");

        CliResult cliResult = CliResult.flotilla("simulate", "--seeds", "1-3", "--json", file.toString());

        assertThat(cliResult.out())
                .startsWith("3 seeds in ")
                .contains("violations")
                .contains("stuck");
        assertThat(Files.readString(file))
                .contains(
                        "\"seeds\"",
                        "\"events\"",
                        "\"attempts\"",
                        "\"crashes\"",
                        "\"violations\"",
                        "\"stuck\"",
                        "\"seconds\"");
    }

    @Test
    void exploresTheModelToADepth() throws IOException {
        Path file = folder.resolve("exhaustive.json");

        CliResult cliResult = CliResult.flotilla("simulate", "--exhaustive", "--depth", "6", "--json", file.toString());

        assertThat(cliResult.exit()).isZero();
        assertThat(cliResult.out()).contains("states, 6 transitions deep").contains("0 violations");
        assertThat(Files.readString(file)).contains("\"states\":", "\"depth\":6", "\"violations\":[]");
    }

    @Test
    void transcriptIsTheSameEachTime() {
        CliResult first = CliResult.flotilla("simulate", "--seed", "7", "--transcript");

        assertThat(first.exit()).isZero();
        assertThat(first.out().length()).isGreaterThan(2000);
        assertThat(CliResult.flotilla("simulate", "--seed", "7", "--transcript").out())
                .isEqualTo(first.out());
    }

    @Test
    void simulatesACampaignOnADescribedFleet() throws IOException {
        Path file = folder.resolve("forecast.json");

        CliResult cliResult = CliResult.flotilla(
                "simulate",
                "--fleet",
                CliResult.path("examples/fleets/large.yaml"),
                "--campaign",
                CliResult.path("examples/campaigns/canary.yaml"),
                "--policy",
                CliResult.path("examples/policies/fleet.yaml"),
                "--runs",
                "3",
                "--json",
                file.toString());

        assertThat(cliResult.exit()).isZero();
        assertThat(cliResult.out()).contains("420 machines", "canary", "rest", "no order of starts takes less than");
        assertThat(cliResult.out()).containsPattern("Takes ([0-9]+[hms])+ at the median");
        assertThat(cliResult.out())
                .containsPattern("Of 3 further runs, [0-9]+% end no later than the median and [0-9]+%"
                        + " no later than the 90th percentile \\(50% and 90% are expected\\)");
        assertThat(Files.readString(file))
                .contains(
                        "\"machines\": 420",
                        "\"waves\"",
                        "\"p50\"",
                        "\"p90\"",
                        "\"coveragePercent\"",
                        "\"runs\": 3",
                        "\"idealMakespanSeconds\"",
                        "\"peakInFlight\"",
                        "\"waiting\"",
                        "\"violations\": []");
    }

    @Test
    void showsAnUnapprovedWaveAsWaiting() {
        CliResult cliResult = CliResult.flotilla(
                "simulate",
                "--fleet",
                CliResult.path("examples/fleets/regional.yaml"),
                "--campaign",
                CliResult.path("examples/campaigns/careful.yaml"),
                "--runs",
                "2");

        assertThat(cliResult.exit()).isZero();
        assertThat(cliResult.out()).contains("machines wait at gate wave");
    }
}
