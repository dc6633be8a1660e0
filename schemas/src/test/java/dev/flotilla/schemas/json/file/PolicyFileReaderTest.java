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

    private static String providers(String scope, String rules) {
        return PolicyFileReader.read("""
            {apiVersion: flotilla.dev/v1, kind: Policy, metadata: {name: %s},
             spec: {providers: [%s]}}
            """.formatted(scope, rules)).toString();
    }

    @Test
    void readsRulesAboutProviders() {
        String template = "template: {apiVersion: a/v1, kind: K, name: n}";
        assertThat(providers("fleet", "{sites: [oslo], provider: none}, {provider: node-upgrade, " + template + "}"))
                .contains("ValidFile", "provider=NONE", "provider=NODE_UPGRADE", "kind=K");
        assertThat(providers("oslo", "{machines: {matchLabels: {a: b}}, provider: k8sd}"))
                .contains("ValidFile", "provider=K8SD");
    }

    @Test
    void rejectsRuleAboutProvidersThatSaysTooLittleOrTooMuch() {
        String template = "template: {apiVersion: a/v1, kind: K, name: n}";
        assertThat(providers("fleet", "{provider: node-upgrade}"))
                .contains("InvalidFile", "spec.providers[0]", "must have a template with provider node-upgrade");
        assertThat(providers("fleet", "{provider: none, " + template + "}"))
                .contains("InvalidFile", "must have no template with provider none");
        assertThat(providers("fleet", "{provider: k8s}")).contains("InvalidFile", "did you mean k8sd?");
        assertThat(providers("oslo", "{sites: [oslo], provider: none}"))
                .contains("InvalidFile", "only the fleet's policy can have");
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
