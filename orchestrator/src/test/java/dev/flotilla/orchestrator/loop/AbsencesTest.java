package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.schemas.id.SiteId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The leader reads on, and all the same a site that was set aside may have lost tombstones meanwhile. */
class AbsencesTest {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId WEST = new SiteId("west");

    private final SetTime time = new SetTime();
    private final Absences absences = new Absences(time);

    @Test
    void aSiteThatWasAsideForDaysIsReadAnew() {
        absences.begin(EAST);
        time.pass(Duration.ofHours(50));
        absences.begin(EAST);
        time.pass(Duration.ofHours(50));
        absences.begin(WEST);
        assertThatCode(() -> absences.end(WEST)).doesNotThrowAnyException();
        assertThatThrownBy(() -> absences.end(EAST))
                .isInstanceOf(KafkaFailure.class)
                .hasMessageContaining("tombstones may have been missed");
    }

    @Test
    void aSiteThatWasAsideForADayIsReadOn() {
        absences.begin(EAST);
        time.pass(Duration.ofHours(24));
        assertThatCode(() -> absences.end(EAST)).doesNotThrowAnyException();
        time.pass(Duration.ofHours(100));
        absences.begin(EAST);
        assertThatCode(() -> absences.end(EAST)).doesNotThrowAnyException();
    }
}
