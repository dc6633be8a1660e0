package dev.flotilla.managementwatcher.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.Kube;
import dev.flotilla.managementwatcher.stub.Samples;
import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.managementwatcher.view.Projection;
import dev.flotilla.managementwatcher.view.View;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.UpgradeOption;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntentsTest {
    private static final String DOCUMENTED = "v1beta2.k8sd.io/in-place-upgrade-to";
    private static final Instant NOW = Instant.ofEpochSecond(100);
    private static final Instant LATER = NOW.plusSeconds(60);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "MACHINES | v1beta2.k8sd.io/in-place-upgrade-to | DIRECT | revision=7",
                "MACHINES | flotilla.dev/upgrade-to | DIRECT | -",
                "MACHINES | v1beta2.k8sd.io/in-place-upgrade-to | INTERCEPT | -",
                "MACHINES | flotilla.dev/upgrade-to | INTERCEPT | revision=7",
                "MACHINES | v1beta2.k8sd.io/in-place-upgrade-to | CLUSTER_ONLY | -",
                "MACHINES | flotilla.dev/upgrade-to | CLUSTER_ONLY | revision=7",
                "CLUSTERS | v1beta2.k8sd.io/in-place-upgrade-to | DIRECT | revision=7",
                "CLUSTERS | v1beta2.k8sd.io/in-place-upgrade-to | INTERCEPT | revision=7",
                "CLUSTERS | v1beta2.k8sd.io/in-place-upgrade-to | CLUSTER_ONLY | revision=7",
                "CLUSTERS | flotilla.dev/upgrade-to | CLUSTER_ONLY | revision=7",
                "MACHINE_DEPLOYMENTS | v1beta2.k8sd.io/in-place-upgrade-to | DIRECT | revision=7",
                "MACHINE_DEPLOYMENTS | v1beta2.k8sd.io/in-place-upgrade-to | INTERCEPT | -",
                "CONTROL_PLANES | v1beta2.k8sd.io/in-place-upgrade-to | DIRECT | revision=7",
                "MACHINE_SETS | v1beta2.k8sd.io/in-place-upgrade-to | DIRECT | revision=7",
            })
    void readsTheKeyThatCountsInEachMode(Kind kind, String key, Mode mode, @Nullable String option) {
        Intent intent = Intents.row(view(kind, "", key, "revision=7"), mode, null, NOW);
        assertThat(intent == null ? null : intent.option().text()).isEqualTo(option);
    }

    @Test
    void aSetOfADeploymentAsksForNothing() {
        View set = view(
                Kind.MACHINE_SETS, "'labels': {'cluster.x-k8s.io/deployment-name': 'd'},", DOCUMENTED, "revision=7");
        assertThat(Intents.row(set, Mode.DIRECT, null, NOW)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"channel=1.33-classic/stable", "revision=3421", "revision=x1", "localPath=/srv/k8s.snap"})
    void everyOptionOfTheGrammarIsTaken(String option) {
        assertThat(Objects.requireNonNull(
                                Intents.row(view(Kind.MACHINES, "", DOCUMENTED, option), Mode.DIRECT, null, NOW))
                        .option())
                .isEqualTo(UpgradeOption.parse(option));
    }

    @ParameterizedTest
    @CsvSource({"latest", "channel=", "channel=a=b", "Channel=1.33", "localPath=snap", "' revision=7'", "''"})
    void anOptionThatIsNoneIsNoIntent(String option) {
        View machine = view(Kind.MACHINES, "", DOCUMENTED, option);
        assertThat(Intents.row(machine, Mode.DIRECT, null, NOW)).isNull();
        assertThat(Objects.requireNonNull(Wish.of(machine, Mode.DIRECT)).problem())
                .startsWith("must");
    }

    @Test
    void theSameWordsStayTheSameIntent() {
        View machine = view(Kind.MACHINES, "", DOCUMENTED, "revision=7");
        Intent first = Objects.requireNonNull(Intents.row(machine, Mode.DIRECT, null, NOW));
        assertThat(Intents.row(machine, Mode.DIRECT, first, LATER)).isSameAs(first);
    }

    @Test
    void otherWordsOrAnotherObjectAreAnotherIntent() {
        Intent first = Objects.requireNonNull(
                Intents.row(view(Kind.MACHINES, "", DOCUMENTED, "revision=7"), Mode.DIRECT, null, NOW));
        Intent changed = Intents.row(view(Kind.MACHINES, "", DOCUMENTED, "revision=8"), Mode.DIRECT, first, LATER);
        assertThat(Objects.requireNonNull(changed).since()).isEqualTo(LATER);
        Intent again = new Intent(first.object(), "before", first.option(), NOW);
        assertThat(Objects.requireNonNull(Intents.row(
                                view(Kind.MACHINES, "", DOCUMENTED, "revision=7"), Mode.DIRECT, again, LATER))
                        .since())
                .isEqualTo(LATER);
    }

    private static View view(Kind kind, String metadata, String key, String value) {
        Kube object = Samples.kube(
                "{'metadata': {'namespace': 'fleet', 'name': 'x', 'uid': 'u', %s 'annotations': {'%s': '%s'}}}"
                        .formatted(metadata, key, value));
        return kind.project(new Projection(new SiteId("east")), object);
    }
}
