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
                // What is set, who is there, whether policies are served, and ours bound; what follows, and the doubt.
                "AUTO | - | true | false | DIRECT | -",
                "AUTO | - | true | true | DIRECT | -",
                "AUTO | Lease a/b | true | true | INTERCEPT | -",
                "AUTO | Lease a/b | true | false | CLUSTER_ONLY | intercept.yaml",
                "AUTO | Lease a/b | false | false | CLUSTER_ONLY | -",
                "DIRECT | - | true | false | DIRECT | -",
                "DIRECT | Lease a/b | true | true | DIRECT | a second time",
                "INTERCEPT | Lease a/b | true | true | INTERCEPT | -",
                "INTERCEPT | Lease a/b | true | false | INTERCEPT | intercept.yaml",
                "INTERCEPT | - | false | false | INTERCEPT | serves no such policies",
                "CLUSTER_ONLY | Lease a/b | true | true | CLUSTER_ONLY | -",
            })
    void followsFromWhatIsSetAndFromWhatIsThere(
            SiteModeSetting setting,
            @Nullable String controllers,
            boolean served,
            boolean bound,
            SiteMode mode,
            @Nullable String doubt) {
        DetectedSiteMode found = Objects.requireNonNull(
                DetectedSiteMode.detectMode(setting, new ProviderPresence(controllers, served, bound)));
        assertThat(found.mode()).isEqualTo(mode);
        if (doubt == null) {
            assertThat(found.modeConflict()).isNull();
        } else {
            assertThat(found.modeConflict()).contains(doubt);
        }
    }

    @Test
    void isNotKnownWhereNothingIsSetAndNothingSeen() {
        assertThat(DetectedSiteMode.detectMode(SiteModeSetting.AUTO, null)).isNull();
        assertThat(DetectedSiteMode.detectMode(SiteModeSetting.CLUSTER_ONLY, null))
                .isEqualTo(new DetectedSiteMode(SiteMode.CLUSTER_ONLY, "set by kubernetes.mode", null));
    }
}
