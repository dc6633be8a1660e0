package dev.flotilla.core.fleet.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.CampaignBuilder;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Versions as written by people and kubelets, and their comparison. */
class KubernetesVersionTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "1.33, 1.33",
                "v1.33, 1.33",
                "v1.33.2, 1.33.2",
                "1.33.0, 1.33.0",
                "v1.33.2-k8s1, 1.33.2",
                "v1.36.0-rc.1, 1.36.0 (pre-release)",
                "v1.36.0-alpha.0+k3s1, 1.36.0 (pre-release)",
                "v1.33.2-gke.100, 1.33.2",
                "1.33-classic/stable, 1.33",
                "1.33., 1.33",
                "1.33.x, 1.33",
                "10.9.8, 10.9.8",
                "1.2000, 1.1023",
                "1.33.9999, 1.33.4094",
                "latest/edge, 0.0",
                "v, 0.0",
                "1, 0.0",
                "1., 0.0",
                ".33, 0.0",
                "1:33, 0.0",
                "1.:, 0.0",
                "'', 0.0",
                "-, 0.0"
            })
    void readsTheVersionAtTheStartOfAText(@Nullable String text, String version) {
        assertThat(KubernetesVersion.text(KubernetesVersion.parse(text))).isEqualTo(version);
    }

    @ParameterizedTest(name = "{0} is older than {1}: {2}")
    @CsvSource({
        "1.32, 1.33, true",
        "1.33, 1.33, false",
        "1.33, 1.32, false",
        "1.33.1, 1.33.2, true",
        "1.33.2, 1.33.2, false",
        "1.33.2, 1.33.1, false",
        "1.33, 1.33.2, false",
        "1.33.2, 1.33, false",
        "1.33.9, 1.34, true",
        "1.9, 1.10, true",
        "v1.36.0-rc.1, v1.36.0, true",
        "v1.36.0, v1.36.0-rc.1, false",
        "v1.36.0-rc.1, v1.36.0-rc.2, false",
        "v1.35.9, v1.36.0-rc.1, true",
        "v1.36.0-rc.1, v1.35.9, false",
        "v1.36.0-gke.100, v1.36.0, false",
        "none, 1.33, false",
        "1.33, none, false"
    })
    void comparesAsFarAsBothAreKnown(String version, String than, boolean older) {
        assertThat(KubernetesVersion.isOlder(KubernetesVersion.parse(version), KubernetesVersion.parse(than)))
                .isEqualTo(older);
    }

    @Test
    void anUnknownVersionIsNeitherOlderNorNewer() {
        int old = KubernetesVersion.parse("1.32.4");
        int recent = KubernetesVersion.parse("1.33.1");
        assertThat(KubernetesVersion.newer(old, recent)).isEqualTo(recent);
        assertThat(KubernetesVersion.newer(recent, old)).isEqualTo(recent);
        assertThat(KubernetesVersion.newer(KubernetesVersion.UNKNOWN, old)).isEqualTo(old);
        assertThat(KubernetesVersion.newer(old, KubernetesVersion.UNKNOWN)).isEqualTo(old);
        assertThat(KubernetesVersion.older(old, recent)).isEqualTo(old);
        assertThat(KubernetesVersion.older(recent, old)).isEqualTo(old);
        assertThat(KubernetesVersion.older(KubernetesVersion.UNKNOWN, recent)).isEqualTo(recent);
        assertThat(KubernetesVersion.older(recent, KubernetesVersion.UNKNOWN)).isEqualTo(recent);
    }

    @Test
    void consecutiveMinorVersionsDifferByOne() {
        assertThat(KubernetesVersion.minor(KubernetesVersion.parse("1.34"))
                        - KubernetesVersion.minor(KubernetesVersion.parse("1.33.9")))
                .isOne();
    }

    /** If a campaign states its target's version, the version that a machine shows does not count. */
    @ParameterizedTest(name = "{0} with {1} expected and {2} learned is {3}")
    @CsvSource({
        "channel=1.34-classic, 1.34.2, 1.34.5, 1.34.2",
        "channel=1.34-classic, , 1.34.5, 1.34.5",
        "channel=1.34-classic, , , 1.34",
        "revision=7, 1.34.2, 1.34.5, 1.34.2",
        "revision=7, , 1.34.5, 1.34.5",
        "localPath=/k8s.snap, 1.34.2, 1.34.5, 1.34.2",
        "localPath=/k8s.snap, , , none",
        "channel=latest/stable, , 1.34.5, 1.34.5",
        "channel=1.34-classic, 1.33.2, 1.34.5, 1.34"
    })
    void aCampaignsTargetVersionIsStatedOrResolved(
            String target, @Nullable String expected, @Nullable String learned, String version) {
        SiteId site = new SiteId("north");
        CampaignBuilder builder = CampaignBuilder.named("up").target(target);
        CampaignStatus status = (expected == null ? builder : builder.expecting(expected))
                .running(1)
                .withResolvedTargets(
                        learned == null
                                ? List.of()
                                : List.of(new CampaignStatus.ResolvedTarget("amd64", "7", learned, site)));
        assertThat(KubernetesVersion.target(status, site)).isEqualTo(KubernetesVersion.parse(version));
    }
}
