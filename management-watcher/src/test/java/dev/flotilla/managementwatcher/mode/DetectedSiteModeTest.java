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
                // Setting, evidence of controllers, whether policies are served, what of ours is there; expected mode
                // and conflict.
                "AUTO | - | true | - | DIRECT | -",
                "AUTO | - | true | policy | DIRECT | -",
                "AUTO | Lease a/b | true | policy | INTERCEPT | -",
                "AUTO | Lease a/b | true | webhook | INTERCEPT | -",
                "AUTO | Lease a/b | false | webhook | INTERCEPT | -",
                "AUTO | Lease a/b | true | - | CLUSTER_ONLY | apply deploy/management-watcher/intercept.yaml",
                "AUTO | Lease a/b | false | - | CLUSTER_ONLY | apply deploy/management-watcher/intercept-webhook.yaml",
                "DIRECT | - | true | - | DIRECT | -",
                "DIRECT | Lease a/b | true | policy | DIRECT | a second time",
                "INTERCEPT | Lease a/b | true | policy | INTERCEPT | -",
                "INTERCEPT | Lease a/b | false | webhook | INTERCEPT | -",
                "INTERCEPT | Lease a/b | true | - | INTERCEPT | apply deploy/management-watcher/intercept.yaml",
                "INTERCEPT | - | false | - | INTERCEPT | apply deploy/management-watcher/intercept-webhook.yaml",
                "CLUSTER_ONLY | Lease a/b | true | policy | CLUSTER_ONLY | -",
            })
    void modeFollowsFromSettingAndPresence(
            SiteModeSetting setting,
            @Nullable String controllers,
            boolean served,
            @Nullable String ours,
            SiteMode mode,
            @Nullable String conflict) {
        DetectedSiteMode found = Objects.requireNonNull(DetectedSiteMode.detectMode(
                setting, new ProviderPresence(controllers, served, "policy".equals(ours), "webhook".equals(ours))));
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
