package dev.flotilla.campaigncontroller;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;

/** The metrics of a campaign controller. */
final class CampaignControllerMetrics {
    private final AtomicInteger objects = new AtomicInteger();
    private final AtomicInteger conflicts = new AtomicInteger();
    private final AtomicInteger leader = new AtomicInteger();
    private final Counter kafkaFailures;
    private final Counter objectFailures;
    private final Counter countsFailures;

    /**
     * @param secondsSincePass how long ago the last pass over all objects ended
     */
    CampaignControllerMetrics(MeterRegistry registry, ToDoubleFunction<MeterRegistry> secondsSincePass) {
        kafkaFailures = Counter.builder("flotilla.campaign.controller.kafka.failures")
                .description("Passes that ended because Kafka could not be read or written.")
                .register(registry);
        objectFailures = Counter.builder("flotilla.campaign.controller.object.failures")
                .description("Lists and writes of objects that failed; the next pass tries again.")
                .register(registry);
        countsFailures = Counter.builder("flotilla.campaign.controller.counts.failures")
                .description("Requests for numbers of machines that no orchestrator has answered.")
                .register(registry);
        Gauge.builder("flotilla.campaign.controller.objects", objects, AtomicInteger::get)
                .description("Campaigns, Policies and Orders in the hub cluster; 0 on a controller that waits.")
                .register(registry);
        Gauge.builder("flotilla.campaign.controller.conflicts", conflicts, AtomicInteger::get)
                .description("Campaigns and Policies that differ from what Kafka has, until a person decides.")
                .register(registry);
        Gauge.builder("flotilla.campaign.controller.leader", leader, AtomicInteger::get)
                .description("1 on the controller that works; the others wait for its Lease.")
                .register(registry);
        Gauge.builder("flotilla.campaign.controller.pass.age.seconds", registry, secondsSincePass)
                .description("Seconds since this controller last compared all objects with Kafka.")
                .register(registry);
    }

    void setObjects(int all, int inConflict) {
        objects.set(all);
        conflicts.set(inConflict);
    }

    void setLeader(boolean works) {
        leader.set(works ? 1 : 0);
    }

    void countKafkaFailure() {
        kafkaFailures.increment();
    }

    void countCountsFailure() {
        countsFailures.increment();
    }

    void countObjectFailure() {
        objectFailures.increment();
    }
}
