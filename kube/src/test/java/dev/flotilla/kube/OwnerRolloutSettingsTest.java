package dev.flotilla.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same settings in Cluster API's old and new versions. */
class OwnerRolloutSettingsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                                                             | 1       | true  | false | false
            {'rollout': {'strategy': {'rollingUpdate': {'maxSurge': 0}}}}                                  | 0       | false | false | false
            {'rollout': {'strategy': {'rollingUpdate': {'maxSurge': '0%'}}}}                               | 0%      | false | false | false
            {'rollout': {'strategy': {'type': 'OnDelete', 'rollingUpdate': {'maxSurge': '20%'}}}}          | 20%     | true  | true  | false
            {'rollout': {'after': '2026-11-27T02:14:00Z', 'strategy': {'rollingUpdate': {'maxSurge': 2}}}} | 2       | true  | false | true
            {'rollout': {'strategy': {'rollingUpdate': {'maxSurge': []}}}}                                 | invalid | true  | false | false
            {'strategy': {'type': 'OnDelete', 'rollingUpdate': {'maxSurge': 0}}}                           | 0       | false | true  | false
            {'rolloutAfter': '2026-11-27T02:14:00Z', 'rolloutStrategy': {'rollingUpdate': {'maxSurge': 0}}} | 0      | false | false | true
            """)
    void settingsAreReadInBothVersions(
            String spec, String maxSurge, boolean surges, boolean isOnDelete, boolean hasAfter) {
        OwnerRolloutSettings settings = new OwnerRolloutSettings(
                Objects.requireNonNull(KubeObject.parse("{\"spec\": " + spec.replace('\'', '"') + "}")));
        assertThat(settings.maxSurge()).isEqualTo(maxSurge);
        assertThat(settings.surges()).isEqualTo(surges);
        assertThat(settings.isOnDelete()).isEqualTo(isOnDelete);
        assertThat(settings.hasAfter()).isEqualTo(hasAfter);
    }
}
