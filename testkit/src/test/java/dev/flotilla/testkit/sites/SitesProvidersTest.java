package dev.flotilla.testkit.sites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SitesProvidersTest {
    @Test
    void mixedSitesHaveBothProvidersAtEachSiteAndInEachRing() {
        for (int sites = 1; sites <= 4; sites++) {
            var clusters =
                    new SitesFleetLayout(new SitesSpec(sites, 60, 600, 0, 1, 1, SitesProviders.MIXED)).clusters();

            assertThat(clusters.stream()
                            .collect(Collectors.groupingBy(
                                    cluster -> cluster.key().site(),
                                    Collectors.mapping(SitesFleetLayout.PlannedCluster::provider, Collectors.toSet())))
                            .values())
                    .allSatisfy(providers -> assertThat(providers)
                            .containsExactlyInAnyOrder(UpgradeProvider.K8SD, UpgradeProvider.NODE_UPGRADE));
            assertThat(clusters.stream()
                            .filter(cluster -> cluster.ring().equals(SitesFleetLayout.CANARY))
                            .map(SitesFleetLayout.PlannedCluster::provider))
                    .contains(UpgradeProvider.K8SD, UpgradeProvider.NODE_UPGRADE);
        }
    }

    @Test
    void namesAllProvidersWhenALabelIsUnknown() {
        assertThatThrownBy(() -> SitesProviders.parse("kubeadm"))
                .hasMessage("\"kubeadm\" is not a provider: use k8sd, node-upgrade or mixed");
    }
}
