package dev.flotilla.managementwatcher.mode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.SiteMode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoundModeTest {
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
            ModeSetting setting,
            @Nullable String controllers,
            boolean served,
            boolean bound,
            SiteMode mode,
            @Nullable String doubt) {
        FoundMode found = Objects.requireNonNull(FoundMode.of(setting, new Surroundings(controllers, served, bound)));
        assertThat(found.mode()).isEqualTo(mode);
        if (doubt == null) {
            assertThat(found.doubt()).isNull();
        } else {
            assertThat(found.doubt()).contains(doubt);
        }
    }

    @Test
    void isNotKnownWhereNothingIsSetAndNothingSeen() {
        assertThat(FoundMode.of(ModeSetting.AUTO, null)).isNull();
        assertThat(FoundMode.of(ModeSetting.CLUSTER_ONLY, null))
                .isEqualTo(new FoundMode(SiteMode.CLUSTER_ONLY, "set so", null));
    }
}
