package dev.flotilla.cli.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.json.file.PolicyFileReader;
import dev.flotilla.schemas.row.UpgradePolicy;
import org.junit.jupiter.api.Test;

class RemovedCapFinderTest {
    private static final String CAPS = "{inFlight: 40, siteInFlight: 10%, prefetch: 200, sitePrefetch: 20}";

    private static UpgradePolicy policy(String scope, String spec) {
        String file =
                "apiVersion: flotilla.dev/v1\nkind: Policy\nmetadata: {name: " + scope + "}\nspec: {" + spec + "}\n";
        if (PolicyFileReader.read(file) instanceof FileReadResult.ValidFile<UpgradePolicy> valid) {
            return valid.value();
        }
        throw new AssertionError(PolicyFileReader.read(file));
    }

    @Test
    void namesEachCapOfTheFleetThatIsGoneAndWhatHoldsInstead() {
        assertThat(RemovedCapFinder.describe(
                        policy("fleet", "caps: " + CAPS + ", intents: {inFlight: 5}"),
                        policy("fleet", "caps: {inFlight: 41}"),
                        null))
                .containsExactly(
                        "no longer has spec.caps.siteInFlight, which was 10%: a site whose policy has no caps.inFlight has"
                                + " no cap of its own",
                        "no longer has spec.caps.prefetch, which was 200: the fleet has no cap on machines that prepare",
                        "no longer has spec.caps.sitePrefetch, which was 20: in a site whose policy has no caps.prefetch, 10"
                                + " machines prepare at once at most",
                        "no longer has spec.intents.inFlight, which was 5: annotations have no cap of their own");
    }

    @Test
    void namesTheCapOfTheFleetThatHoldsInASite() {
        UpgradePolicy before = policy("east", "caps: {inFlight: 3, prefetch: 4}, intents: {clusterInFlight: 2}");
        UpgradePolicy after = policy("east", "freeze: {frozen: false}");

        assertThat(RemovedCapFinder.describe(
                        before, after, policy("fleet", "caps: " + CAPS + ", intents: {inFlight: 5}")))
                .containsExactly(
                        "no longer has spec.caps.inFlight, which was 3: the fleet's caps.siteInFlight of 10% holds",
                        "no longer has spec.caps.prefetch, which was 4: the fleet's caps.sitePrefetch of 20 holds",
                        "no longer has spec.intents.clusterInFlight, which was 2: the fleet's rules for annotations hold");
        assertThat(RemovedCapFinder.describe(before, after, null))
                .containsExactly(
                        "no longer has spec.caps.inFlight, which was 3: the site has no cap of its own",
                        "no longer has spec.caps.prefetch, which was 4: 10 machines of the site prepare at once at most",
                        "no longer has spec.intents.clusterInFlight, which was 2: annotations have no cap of their own");
    }

    @Test
    void namesTheCapOfTheFleetThatTheOwnRulesOfASiteReplace() {
        UpgradePolicy fleet = policy("fleet", "intents: {inFlight: 5}");
        UpgradePolicy after = policy("east", "intents: {localPaths: [/srv/snaps]}");

        assertThat(RemovedCapFinder.describe(null, after, fleet))
                .containsExactly(
                        "no longer has spec.intents.inFlight, which was 5: its own spec.intents takes the place"
                                + " of the fleet's, and annotations have no cap of their own");
        assertThat(RemovedCapFinder.describe(after, after, fleet)).isEmpty();
        assertThat(RemovedCapFinder.describe(null, after, null)).isEmpty();
    }

    @Test
    void saysNothingOfCapsThatChange() {
        assertThat(RemovedCapFinder.describe(
                        policy("fleet", "caps: " + CAPS),
                        policy("fleet", "caps: {inFlight: 1, siteInFlight: 1, prefetch: 1, sitePrefetch: 1}"),
                        null))
                .isEmpty();
    }
}
