package dev.flotilla.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Versions as people and kubelets write them, and how they compare. */
class KubeVersionTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "1.33, 1.33",
                "v1.33, 1.33",
                "v1.33.2, 1.33.2",
                "1.33.0, 1.33.0",
                "v1.33.2-k8s1, 1.33.2",
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
    void isReadFromWhatATextBeginsWith(@Nullable String text, String version) {
        assertThat(KubeVersion.text(KubeVersion.of(text))).isEqualTo(version);
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
        "none, 1.33, false",
        "1.33, none, false"
    })
    void isOlderAsFarAsBothSay(String version, String than, boolean older) {
        assertThat(KubeVersion.isOlder(KubeVersion.of(version), KubeVersion.of(than)))
                .isEqualTo(older);
    }

    @Test
    void ofTwoTheOlderAndTheNewerAreThoseThatAreKnown() {
        int old = KubeVersion.of("1.32.4");
        int recent = KubeVersion.of("1.33.1");
        assertThat(KubeVersion.newer(old, recent)).isEqualTo(recent);
        assertThat(KubeVersion.newer(recent, old)).isEqualTo(recent);
        assertThat(KubeVersion.newer(KubeVersion.UNKNOWN, old)).isEqualTo(old);
        assertThat(KubeVersion.newer(old, KubeVersion.UNKNOWN)).isEqualTo(old);
        assertThat(KubeVersion.older(old, recent)).isEqualTo(old);
        assertThat(KubeVersion.older(recent, old)).isEqualTo(old);
        assertThat(KubeVersion.older(KubeVersion.UNKNOWN, recent)).isEqualTo(recent);
        assertThat(KubeVersion.older(recent, KubeVersion.UNKNOWN)).isEqualTo(recent);
    }

    @Test
    void minorVersionsThatFollowEachOtherDifferByOne() {
        assertThat(KubeVersion.minor(KubeVersion.of("1.34")) - KubeVersion.minor(KubeVersion.of("1.33.9")))
                .isOne();
    }
}
