package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.SiteId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a site is left out whose topics have refused a row. */
class SuspectsTest {
    private static final SiteId EAST = new SiteId("east");

    private long nanos;
    private final Suspects suspects = new Suspects(new TimeSource() {
        @Override
        public long wall() {
            return 0;
        }

        @Override
        public long nanos() {
            return nanos;
        }
    });

    @Test
    void aSiteIsLeftOutTwiceAsLongAfterEachRefusal() {
        assertThat(suspects.trouble(EAST)).isNull();
        suspects.add(EAST, "why");
        assertThat(suspects.trouble(EAST).reason()).isEqualTo("why");
        assertThat(suspects.trouble(EAST).lost()).isEmpty();
        assertThat(suspects.trouble(new SiteId("west"))).isNull();
        pass(Duration.ofSeconds(10));
        assertThat(suspects.trouble(EAST)).isNull();
        suspects.add(EAST, "why");
        pass(Duration.ofSeconds(19));
        assertThat(suspects.trouble(EAST)).isNotNull();
        pass(Duration.ofSeconds(1));
        assertThat(suspects.trouble(EAST)).isNull();
    }

    @Test
    void noSiteIsLeftOutForever() {
        for (int i = 0; i < 100; i++) {
            suspects.add(EAST, "why");
        }
        pass(Duration.ofSeconds(10L << 6));
        assertThat(suspects.trouble(EAST)).isNull();
    }

    @Test
    void aSiteThatWasTakenInAgainForLongBeginsAnew() {
        suspects.add(EAST, "why");
        suspects.add(EAST, "why");
        pass(Duration.ofSeconds(20).plus(Duration.ofSeconds(10L << 6)));
        suspects.add(EAST, "why");
        pass(Duration.ofSeconds(10));
        assertThat(suspects.trouble(EAST)).isNull();
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }
}
