package dev.flotilla.clusterapi.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.ExtensionRegistration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoverageTableTest {
    /** The watcher refuses a campaign's change of other machines by this list. */
    @Test
    void shippedTableHasTheBootstrapKindsThatCampaignsCountOn() {
        List<String> kinds = new ArrayList<>(ExtensionRegistration.BOOTSTRAP_KINDS);
        kinds.add(CoverageTable.MACHINE);
        assertThat(CoverageTable.DEFAULT.kinds()).containsOnlyKeys(kinds);
        assertThat(ExtensionRegistration.coversVersionOf("RKE2ConfigTemplate")).isTrue();
        assertThat(ExtensionRegistration.coversVersionOf("TalosConfigTemplate")).isFalse();
    }
}
