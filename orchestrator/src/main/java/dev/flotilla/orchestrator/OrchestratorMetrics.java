package dev.flotilla.orchestrator;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Event;
import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.runtime.metrics.MetricLabel;
import dev.flotilla.schemas.row.RejectionReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What the orchestrator counts. Fed by the thread that decides, read by whoever scrapes. */
final class OrchestratorMetrics {
    private final Map<Event, Counter> events = new EnumMap<>(Event.class);
    private final Map<RejectionReason, Counter> rejected = new EnumMap<>(RejectionReason.class);
    private final Map<Standing, AtomicInteger> standing = new EnumMap<>(Standing.class);
    private final AtomicLong seq = new AtomicLong();
    private final AtomicInteger aside = new AtomicInteger();
    private final Timer commits;
    private final Counter records;
    private final Timer restores;

    OrchestratorMetrics(MeterRegistry registry) {
        for (Event event : Event.values()) {
            events.put(
                    event,
                    Counter.builder("flotilla.decisions")
                            .description("Decisions committed, by what happened.")
                            .tags(List.of(MetricLabel.EVENT.of(event, event.label())))
                            .register(registry));
        }
        for (RejectionReason reason : RejectionReason.values()) {
            rejected.put(
                    reason,
                    Counter.builder("flotilla.rejected")
                            .description("Records that could not be read, by why.")
                            .tags(List.of(MetricLabel.REASON.of(reason, reason.label())))
                            .register(registry));
        }
        for (Standing each : Standing.values()) {
            standing.put(
                    each,
                    registry.gauge(
                            "flotilla.standing",
                            List.of(MetricLabel.STANDING.of(each, each.label())),
                            new AtomicInteger()));
        }
        registry.gauge("flotilla.seq", seq);
        registry.gauge("flotilla.sites.aside", aside);
        commits = Timer.builder("flotilla.commit")
                .description("How long a transaction takes.")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofSeconds(10))
                .register(registry);
        records = Counter.builder("flotilla.records.written")
                .description("Rows and journal records written.")
                .register(registry);
        restores = Timer.builder("flotilla.restore")
                .description("How long the tables take to be read.")
                .register(registry);
    }

    void standing(Standing now) {
        standing.forEach((each, gauge) -> gauge.set(each == now ? 1 : 0));
    }

    void committed(List<Decision> decisions, int written, long millis) {
        for (Decision decision : decisions) {
            Counter counter = events.get(decision.event());
            if (counter != null) {
                counter.increment();
            }
            seq.set(decision.seq());
        }
        records.increment(written);
        commits.record(millis, TimeUnit.MILLISECONDS);
    }

    void restored(long millis) {
        restores.record(millis, TimeUnit.MILLISECONDS);
    }

    void rejected(RejectionReason why) {
        Counter counter = rejected.get(why);
        if (counter != null) {
            counter.increment();
        }
    }

    void site(boolean usable) {
        aside.addAndGet(usable ? -1 : 1);
    }
}
