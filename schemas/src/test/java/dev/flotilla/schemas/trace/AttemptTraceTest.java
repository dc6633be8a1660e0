package dev.flotilla.schemas.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttemptTraceTest {
    private static final MachineKey MACHINE = new MachineKey(new SiteId("east"), "fleet", "blue-workers-0");
    private static final AttemptTrace TRACE = AttemptTrace.of(MACHINE, "u-0", 42);
    private static final Instant START = Instant.parse("2026-11-28T02:14:00.123Z");

    /** Another version of a process, or another language, must find the same ids. */
    @Test
    void idsAreHashesOfWhatIdentifiesTheAttempt() {
        // printf 'attempt\neast/fleet/blue-workers-0\nu-0\n42' | sha256sum
        assertThat(TRACE.traceparent()).isEqualTo("00-55daca4b9d56231bf917cda907ac4ca3-075d3d53d569532d-01");
        assertThat(AttemptTrace.of(MACHINE, "u-0", 42)).isEqualTo(TRACE);
    }

    @Test
    void otherAttemptsHaveOtherIds() {
        assertThat(AttemptTrace.of(MACHINE, "u-0", 43).traceId()).isNotEqualTo(TRACE.traceId());
        assertThat(AttemptTrace.of(MACHINE, "u-1", 42).traceId()).isNotEqualTo(TRACE.traceId());
        assertThat(AttemptTrace.of(new MachineKey(new SiteId("west"), "fleet", "blue-workers-0"), "u-0", 42)
                        .traceId())
                .isNotEqualTo(TRACE.traceId());
    }

    @Test
    void aSpanIsTheSameOneIfItsNameAndStartAre() {
        String span = TRACE.childSpanId("preflight", START);

        assertThat(span).matches("[0-9a-f]{16}").isNotEqualTo(TRACE.rootSpanId());
        assertThat(TRACE.childSpanId("preflight", START)).isEqualTo(span);
        assertThat(TRACE.childSpanId("starting", START)).isNotEqualTo(span);
        assertThat(TRACE.childSpanId("preflight", START.plusMillis(1))).isNotEqualTo(span);
    }

    @Test
    void readsItsOwnHeader() {
        assertThat(AttemptTrace.parse(TRACE.traceparent())).isEqualTo(TRACE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more"
            })
    void ignoresInvalidHeaders(String header) {
        assertThat(AttemptTrace.parse(header)).isNull();
    }
}
