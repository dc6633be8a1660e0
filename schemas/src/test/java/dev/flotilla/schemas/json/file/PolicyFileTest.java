package dev.flotilla.schemas.json.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.json.SpecificationFiles;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.RetryRule;
import java.time.Duration;
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
