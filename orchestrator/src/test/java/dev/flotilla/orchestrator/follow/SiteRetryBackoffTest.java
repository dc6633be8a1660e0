package dev.flotilla.orchestrator.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.SiteId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests how long a site is left out whose topics have rejected a row. */
class SiteRetryBackoffTest {
    private static final SiteId EAST = new SiteId("east");

    private long nanos;
    private final SiteRetryBackoff siteRetryBackoff = new SiteRetryBackoff(new ProcessClock() {
        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public long monotonicNanos() {
            return nanos;
        }
    });

    @Test
    void doublesTheDelayAfterEachRejection() {
        assertThat(siteRetryBackoff.findProblem(EAST)).isNull();
        siteRetryBackoff.recordRefusal(EAST, "why");
        assertThat(siteRetryBackoff.findProblem(EAST).reason()).isEqualTo("why");
        assertThat(siteRetryBackoff.findProblem(EAST).lostTables()).isEmpty();
        assertThat(siteRetryBackoff.findProblem(new SiteId("west"))).isNull();
        pass(Duration.ofSeconds(10));
        assertThat(siteRetryBackoff.findProblem(EAST)).isNull();
        siteRetryBackoff.recordRefusal(EAST, "why");
        pass(Duration.ofSeconds(19));
        assertThat(siteRetryBackoff.findProblem(EAST)).isNotNull();
        pass(Duration.ofSeconds(1));
        assertThat(siteRetryBackoff.findProblem(EAST)).isNull();
    }

    @Test
    void limitsTheDelay() {
        for (int i = 0; i < 100; i++) {
            siteRetryBackoff.recordRefusal(EAST, "why");
        }
        pass(Duration.ofSeconds(10L << 6));
        assertThat(siteRetryBackoff.findProblem(EAST)).isNull();
    }

    @Test
    void resetsTheDelayAfterLongUse() {
        siteRetryBackoff.recordRefusal(EAST, "why");
        siteRetryBackoff.recordRefusal(EAST, "why");
        pass(Duration.ofSeconds(20).plus(Duration.ofSeconds(10L << 6)));
        siteRetryBackoff.recordRefusal(EAST, "why");
        pass(Duration.ofSeconds(10));
        assertThat(siteRetryBackoff.findProblem(EAST)).isNull();
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }
}
