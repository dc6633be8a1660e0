package dev.flotilla.cli.site.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteModeCheckTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "- | - | unknown  mode: the site's watcher does not report a mode",
                "INTERCEPT | - | ok       mode: intercept",
                "DIRECT | others are here: set it to auto | differs  mode: direct, but others are here: set it to auto",
            })
    void showsTheModeAndItsConflict(@Nullable SiteMode mode, @Nullable String doubt, String line) {
        WatcherHeartbeat heartbeat =
                new WatcherHeartbeat(new SiteId("east"), "uid", "w", Instant.EPOCH, 0, mode, doubt, null);
        assertThat(KafkaChecks.mode(heartbeat).line()).isEqualTo(line);
    }
}
