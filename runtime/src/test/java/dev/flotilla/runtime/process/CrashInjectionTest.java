package dev.flotilla.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrashInjectionTest {
    private enum Point {
        CALLED,
        HALF_SENT
    }

    private final AtomicInteger halts = new AtomicInteger();

    @Test
    void haltsTheFirstTimeUnlessACountIsGiven() {
        Consumer<Point> crashPoints = parse("called");
        crashPoints.accept(Point.HALF_SENT);
        assertThat(halts).hasValue(0);
        crashPoints.accept(Point.CALLED);
        crashPoints.accept(Point.CALLED);
        assertThat(halts).hasValue(1);
    }

    @Test
    void haltsTheThirdTimeThatThePointIsReached() {
        Consumer<Point> crashPoints = parse("half-sent:3");
        crashPoints.accept(Point.HALF_SENT);
        crashPoints.accept(Point.CALLED);
        crashPoints.accept(Point.HALF_SENT);
        assertThat(halts).hasValue(0);
        crashPoints.accept(Point.HALF_SENT);
        assertThat(halts).hasValue(1);
    }

    @Test
    void doesNothingWithoutTheProperty() {
        for (Point each : Point.values()) {
            parse("").accept(each);
        }
        assertThat(halts).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"calle", "CALLED", "called:0", "called:", "called:1:2", "half_sent"})
    void rejectsWhatNamesNoPoint(String value) {
        assertThatThrownBy(() -> parse(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("flotilla.crash=" + value
                        + " must be POINT or POINT:COUNT, with one of the crash points [called, half-sent]");
    }

    private Consumer<Point> parse(String value) {
        return CrashInjection.parse(Point.class, value, halts::incrementAndGet);
    }
}
