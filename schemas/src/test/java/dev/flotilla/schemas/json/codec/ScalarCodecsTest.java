package dev.flotilla.schemas.json.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScalarCodecsTest {
    @ParameterizedTest
    @CsvSource({
        "2026-01-02T03:04:05.678Z, 2026-01-02T03:04:05.678Z",
        "2026-01-02T03:04:05Z, 2026-01-02T03:04:05.000Z",
        "2026-01-02T03:04:05.6789999Z, 2026-01-02T03:04:05.678Z",
        "2026-01-02T03:04:05.1+02:00, 2026-01-02T01:04:05.100Z",
        "2024-02-29T23:59:59-01:30, 2024-03-01T01:29:59.000Z",
        "9999-12-31T23:59:59.999Z, 9999-12-31T23:59:59.999Z",
    })
    void readsInstantWithAnyOffsetAndWritesCanonicalText(String text, String written) {
        Instant instant = InstantFormat.parse(text);
        assertThat(instant).isNotNull();
        assertThat(InstantFormat.print(instant)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "2026-01-02",
                "2026-01-02T03:04:05",
                "2026-01-02T03:04:05.Z",
                "2026-01-02 03:04:05Z",
                "2026-02-30T03:04:05Z",
                "2026-13-01T00:00:00Z",
                "2026-01-02T24:00:00Z",
                "2026-01-02T03:60:05Z",
                "2026-01-02T03:04:60Z",
                "0000-01-01T00:00:00Z",
                "2026-01-02T03:04:05+19:00",
                "2026-01-02T03:04:05+0200",
                "2026-01-02T03:04:05.1234567890Z",
                "9999-12-31T23:59:59-01:00",
                "+2026-01-02T03:04:05Z",
                "2026-01-02T03:04:05ZZ"
            })
    void rejectsInvalidInstant(String text) {
        assertThat(InstantFormat.parse(text)).isNull();
    }

    @Test
    void parsesInstantsLikeTheJdk() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            Instant instant = Instant.ofEpochMilli(
                    random.nextLong(InstantFormat.FIRST.toEpochMilli(), InstantFormat.LAST.toEpochMilli()));
            String text = InstantFormat.print(instant);
            assertThat(OffsetDateTime.parse(text).toInstant()).isEqualTo(instant);
            assertThat(InstantFormat.parse(text)).isEqualTo(instant);
        }
    }

    @Test
    void throwsForAnInstantOutsideOfTheRange() {
        assertThatThrownBy(() -> InstantFormat.print(Instant.MAX)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> InstantFormat.print(Instant.MIN)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"90s, 90s", "60s, 1m", "120m, 2h", "24h, 1d", "36h, 36h", "1500ms, 1500ms", "1000ms, 1s", "0d, 0s"})
    void writesDurationInTheLargestExactUnit(String text, String written) {
        Duration duration = DurationFormat.parse(text);
        assertThat(duration).isNotNull();
        assertThat(DurationFormat.print(duration)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "90", "s", "-1s", "1.5h", "1h30m", "PT1H", "1 h", "1H", "9999999999999s", "1w"})
    void rejectsInvalidDuration(String text) {
        assertThat(DurationFormat.parse(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"prioritty, priority", "Deadline, deadline", "wave, waves", "retrys, retries", "in-flight, inFlight"})
    void suggestsTheNearestWord(String typed, String meant) {
        assertThat(SpellingSuggestion.nearest(typed, List.of("priority", "deadline", "waves", "retries", "inFlight")))
                .isEqualTo(meant);
    }

    @Test
    void suggestsNothingForAnUnrelatedWord() {
        assertThat(SpellingSuggestion.nearest("nonsense", List.of("priority", "waves")))
                .isNull();
        assertThat(SpellingSuggestion.nearest("x".repeat(1_000), List.of("priority")))
                .isNull();
    }
}
