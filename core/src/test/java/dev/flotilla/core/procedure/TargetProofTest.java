package dev.flotilla.core.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.UpgradeOption;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetProofTest {
    @ParameterizedTest
    @CsvSource({
        "1.33-classic/stable, v1.33.2, true",
        "1.33/stable, v1.33.0, true",
        "1.33, v1.33.0, true",
        "1.33-classic/stable, v1.3.3, false",
        "1.3-classic/stable, v1.33.0, false",
        "latest/edge, v1.33.0, true",
        "1.x/stable, v1.33.0, true",
        "1.33.2/stable, v1.40.0, true",
        "1., v1.33.0, true",
    })
    void aChannelsTrackGivesTheMinorWhereItIsOne(String channel, String version, boolean fits) {
        var command = Worker.command(Role.WORKER, new UpgradeOption.Channel(channel), null, null);
        assertThat(TargetProof.versionFits(new Sight.Node("1", version, true, true), command))
                .isEqualTo(fits);
    }
}
