package dev.flotilla.cli.site.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class KubeconfigCheckTest {
    private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");
    private static final KubeconfigStatus LATE = expires("late", "2027-06-30T00:00:00Z");
    private static final KubeconfigStatus SOON = expires("soon", "2026-07-31T11:59:59Z");
    private static final KubeconfigStatus SOONER = expires("sooner", "2026-07-02T00:00:00Z");
    private static final KubeconfigStatus OVER = expires("over", "2026-07-01T12:00:00Z");
    private static final KubeconfigStatus TOKEN = new KubeconfigStatus.NoExpiry(cluster("token"));
    private static final KubeconfigStatus HIDDEN = new KubeconfigStatus.ReadForbidden(cluster("hidden"));
    private static final KubeconfigStatus GONE =
            new KubeconfigStatus.Unusable(cluster("gone"), "Secret gone-kubeconfig: 404");

    @Test
    void reportsTheEarliestExpiry() {
        assertThat(line(LATE, expires("later", "2027-07-30T00:00:00Z"), TOKEN))
                .isEqualTo("ok       kubeconfigs: 3 of 3 can be read, and the first to expire is that of"
                        + " east/fleet/late, on"
                        + " 2027-06-30");
        assertThat(line(TOKEN)).endsWith("1 of 1 can be read, and none has a certificate that expires");
    }

    @Test
    void namesTheFirstThatExpiresSoon() {
        assertThat(line(LATE, SOON, SOONER, HIDDEN))
                .isEqualTo("differs  kubeconfigs: 2 of 4 expire within 30 days, the first is that of"
                        + " east/fleet/sooner, on"
                        + " 2026-07-02: renew Secret sooner-kubeconfig in namespace fleet, which is not renewed"
                        + " automatically");
        assertThat(line(expires("enough", "2026-07-31T12:00:00Z"))).startsWith("ok ");
    }

    @Test
    void failsForAnExpiredOrUnusableKubeconfig() {
        assertThat(line(SOON, OVER, GONE))
                .isEqualTo("FAILED   kubeconfigs: 2 of 3 cannot be used, the first is that of east/fleet/over: it"
                        + " expired on"
                        + " 2026-07-01: renew Secret over-kubeconfig in namespace fleet, which is not renewed"
                        + " automatically");
        assertThat(line(GONE, HIDDEN)).startsWith("FAILED ").contains("Secret gone-kubeconfig: 404");
    }

    @Test
    void isUnknownWithoutPermission() {
        assertThat(line(LATE, HIDDEN))
                .startsWith("unknown  kubeconfigs: not permitted to read 1 of 2, the first is that of"
                        + " east/fleet/hidden");
        assertThat(KubeconfigCheck.checkKubeconfigs(
                                List.of(LATE, new KubeconfigStatus.ApiServerUnreachable(cluster("dark"), "no answer")),
                                9,
                                NOW)
                        .line())
                .startsWith("unknown  kubeconfigs: that of east/fleet/dark could not be read: no answer");
        assertThat(KubeconfigCheck.checkKubeconfigs(List.of(), 0, NOW).line())
                .startsWith("unknown  kubeconfigs: the site's inventory has no cluster yet");
    }

    @Test
    void saysHowManyOfAllWereChecked() {
        assertThat(KubeconfigCheck.checkKubeconfigs(List.of(LATE), 7, NOW).line())
                .contains("1 of 1 checked, out of 7 can be read");
    }

    @Test
    void classifiesTheResponseToReadingASecret() {
        ClusterKey blue = cluster("blue");
        assertThat(KubeconfigStatus.readStatus(blue, new KubeResponse.ErrorResponse(403, "no")))
                .isInstanceOf(KubeconfigStatus.ReadForbidden.class);
        assertThat(KubeconfigStatus.readStatus(blue, new KubeResponse.ErrorResponse(404, "none")))
                .isInstanceOf(KubeconfigStatus.Unusable.class);
        assertThat(KubeconfigStatus.readStatus(blue, new KubeResponse.ErrorResponse(500, "later")))
                .isInstanceOf(KubeconfigStatus.ApiServerUnreachable.class);
        assertThat(KubeconfigStatus.readStatus(blue, new KubeResponse.NoResponse("gone")))
                .isInstanceOf(KubeconfigStatus.ApiServerUnreachable.class);
    }

    private static String line(KubeconfigStatus... looks) {
        return KubeconfigCheck.checkKubeconfigs(List.of(looks), looks.length, NOW)
                .line();
    }

    private static KubeconfigStatus expires(String name, String at) {
        return new KubeconfigStatus.Expires(cluster(name), Instant.parse(at));
    }

    private static ClusterKey cluster(String name) {
        return new ClusterKey(new SiteId("east"), "fleet", name);
    }
}
