package dev.flotilla.core.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A worker whose own clock is behind uses the broker's, as far as records have shown it. */
class BrokerTimeTest {
    @Test
    void theOwnClockCountsBeforeAnyRecordIsRead() {
        assertThat(BrokerClockEstimate.UNKNOWN.earliestWallMillis(1_000, 7)).isEqualTo(1_000);
    }

    @Test
    void advancesFromTheNewestRecord() {
        BrokerClockEstimate time = BrokerClockEstimate.UNKNOWN.withAppend(5_000, 100);
        assertThat(time.earliestWallMillis(1_000, 100)).isEqualTo(5_000);
        assertThat(time.earliestWallMillis(1_000, 130)).isEqualTo(5_030);
        assertThat(time.withAppend(4_000, 130).earliestWallMillis(1_000, 130))
                .as("an earlier record changes nothing")
                .isEqualTo(5_030);
        assertThat(time.withAppend(6_000, 130).earliestWallMillis(1_000, 130)).isEqualTo(6_000);
    }

    @Test
    void isNeverEarlierThanTheOwnClock() {
        assertThat(BrokerClockEstimate.UNKNOWN.withAppend(5_000, 100).earliestWallMillis(9_000, 100))
                .isEqualTo(9_000);
    }
}
