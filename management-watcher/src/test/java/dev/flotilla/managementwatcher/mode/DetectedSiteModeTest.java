package dev.flotilla.managementwatcher.mode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.SiteMode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DetectedSiteModeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // Setting, evidence of controllers, whether policies are served, whether ours is bound; expected mode
                // and conflict.
                "AUTO | - | true | false | DIRECT | -",
                "AUTO | - | true | true | DIRECT | -",
                "AUTO | Lease a/b | true | true | INTERCEPT | -",
                "AUTO | Lease a/b | true | false | CLUSTER_ONLY | intercept.yaml",
                "AUTO | Lease a/b | false | false | CLUSTER_ONLY | -",
                "DIRECT | - | true | false | DIRECT | -",
                "DIRECT | Lease a/b | true | true | DIRECT | a second time",
                "INTERCEPT | Lease a/b | true | true | INTERCEPT | -",
                "INTERCEPT | Lease a/b | true | false | INTERCEPT | intercept.yaml",
                "INTERCEPT | - | false | false | INTERCEPT | does not serve mutating admission policies",
                "CLUSTER_ONLY | Lease a/b | true | true | CLUSTER_ONLY | -",
            })
    void modeFollowsFromSettingAndPresence(
            SiteModeSetting setting,
            @Nullable String controllers,
            boolean served,
            boolean bound,
            SiteMode mode,
            @Nullable String conflict) {
        DetectedSiteMode found = Objects.requireNonNull(
                DetectedSiteMode.detectMode(setting, new ProviderPresence(controllers, served, bound)));
        assertThat(found.mode()).isEqualTo(mode);
        if (conflict == null) {
            assertThat(found.modeConflict()).isNull();
        } else {
            assertThat(found.modeConflict()).contains(conflict);
        }
    }

    @Test
    void modeIsUnknownWithoutSettingAndProbe() {
        assertThat(DetectedSiteMode.detectMode(SiteModeSetting.AUTO, null)).isNull();
        assertThat(DetectedSiteMode.detectMode(SiteModeSetting.CLUSTER_ONLY, null))
                .isEqualTo(new DetectedSiteMode(SiteMode.CLUSTER_ONLY, "set by kubernetes.mode", null));
    }
}
