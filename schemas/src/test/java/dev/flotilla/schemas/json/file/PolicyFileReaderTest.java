package dev.flotilla.schemas.json.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.json.SampleSpecificationFiles;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyFileReaderTest {
    @Test
    void readsAPolicyInJson() {
        assertThat(PolicyFileReader.read(SampleSpecificationFiles.POLICY))
                .isEqualTo(new FileReadResult.ValidFile<>(new UpgradePolicy(
                        FleetScope.FLEET,
                        new CountOrPercent.Count(500),
                        new CountOrPercent.Percent(10),
                        false,
                        null,
                        Duration.ofMinutes(45),
                        Duration.ofHours(2),
                        new UpgradePolicy.IntentRule(new CountOrPercent.Count(2), RetryRule.DEFAULT))));
    }

    @Test
    void readsDirectoriesForLocalPaths() {
        String policy = """
                {apiVersion: flotilla.dev/v1, kind: Policy, metadata: {name: fleet},
                 spec: {intents: {localPaths: [%s]}}}
                """;
        assertThat(PolicyFileReader.read(policy.formatted("/opt/snaps, /srv")))
                .isEqualTo(new FileReadResult.ValidFile<>(new UpgradePolicy(
                        FleetScope.FLEET,
                        null,
                        null,
                        false,
                        null,
                        null,
                        null,
                        new UpgradePolicy.IntentRule(
                                UpgradePolicy.IntentRule.DEFAULT.maxUnavailable(),
                                UpgradePolicy.IntentRule.DEFAULT.retryRule(),
                                List.of("/opt/snaps", "/srv")))));
        for (String wrong : List.of("opt", "/", "/opt/", "/opt/../etc", "''")) {
            assertThat(PolicyFileReader.read(policy.formatted(wrong)))
                    .as(wrong)
                    .isInstanceOf(FileReadResult.InvalidFile.class);
        }
    }

    @Test
    void rejectsACampaignManifest() {
        assertThat(PolicyFileReader.read(SampleSpecificationFiles.CAMPAIGN).toString())
                .contains("kind", "must be \"Policy\"");
    }

    @Test
    void rejectsTheCapOfEverySiteInASitesPolicy() {
        assertThat(PolicyFileReader.read(SampleSpecificationFiles.POLICY.replace("fleet\"", "oslo\""))
                        .toString())
                .contains("siteInFlight");
    }
}
