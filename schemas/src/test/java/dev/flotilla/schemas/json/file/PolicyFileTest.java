package dev.flotilla.schemas.json.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.json.SpecificationFiles;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.RetryRule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyFileTest {
    @Test
    void readsAPolicyInJson() {
        assertThat(PolicyFile.read(SpecificationFiles.POLICY))
                .isEqualTo(new FileRead.Good<>(new Policy(
                        Fleet.FLEET,
                        new Limit.Count(500),
                        new Limit.Percent(10),
                        false,
                        null,
                        Duration.ofMinutes(45),
                        Duration.ofHours(2),
                        new Policy.IntentRule(new Limit.Count(2), RetryRule.DEFAULT))));
    }

    @Test
    void namesTheDirectoriesForLocalPaths() {
        String policy = """
                {apiVersion: flotilla.dev/v1, kind: Policy, metadata: {name: fleet},
                 spec: {intents: {localPaths: [%s]}}}
                """;
        assertThat(PolicyFile.read(policy.formatted("/opt/snaps, /srv")))
                .isEqualTo(new FileRead.Good<>(new Policy(
                        Fleet.FLEET,
                        null,
                        null,
                        false,
                        null,
                        null,
                        null,
                        new Policy.IntentRule(
                                Policy.IntentRule.DEFAULT.maxUnavailable(),
                                Policy.IntentRule.DEFAULT.retries(),
                                List.of("/opt/snaps", "/srv")))));
        for (String wrong : List.of("opt", "/", "/opt/", "/opt/../etc", "''")) {
            assertThat(PolicyFile.read(policy.formatted(wrong))).as(wrong).isInstanceOf(FileRead.Bad.class);
        }
    }

    @Test
    void refusesACampaignInItsPlace() {
        assertThat(PolicyFile.read(SpecificationFiles.CAMPAIGN).toString()).contains("kind", "must be \"Policy\"");
    }

    @Test
    void tellsASiteThatOnlyTheFleetCapsEverySite() {
        assertThat(PolicyFile.read(SpecificationFiles.POLICY.replace("fleet\"", "oslo\""))
                        .toString())
                .contains("siteInFlight");
    }
}
