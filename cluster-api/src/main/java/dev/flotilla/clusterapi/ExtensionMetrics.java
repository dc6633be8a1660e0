package dev.flotilla.clusterapi;

import dev.flotilla.clusterapi.hook.Hook;
import dev.flotilla.clusterapi.hook.HookOutcome;
import dev.flotilla.runtime.metrics.MetricLabel;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The metrics of a Cluster API extension. */
final class ExtensionMetrics {
    private final MeterRegistry registry;
    private final Counter abortedTasks;
    private final Counter failedReports;

    /**
     * Registers the metrics.
     *
     * @param conflicts how many ExtensionConfigs conflict with ours
     */
    ExtensionMetrics(MeterRegistry registry, CertificateExpiryMeter certificateMeter, Supplier<Number> conflicts) {
        this.registry = registry;
        this.abortedTasks = Counter.builder("flotilla.extension.tasks.aborted")
                .description("UpgradeTasks that were aborted because nobody updates their Machines any more.")
                .register(registry);
        this.failedReports = Counter.builder("flotilla.extension.reports.failed")
                .description("Events and conditions about changes that are not covered, which could not be written.")
                .register(registry);
        Gauge.builder(
                        "flotilla.extension.certificate.expiry.timestamp.seconds",
                        certificateMeter,
                        CertificateExpiryMeter::expiryTimestampSeconds)
                .description("When the certificate that Cluster API is shown expires, in seconds since the epoch; NaN"
                        + " without TLS.")
                .register(registry);
        Gauge.builder("flotilla.extension.conflicts", conflicts)
                .description(
                        "Other ExtensionConfigs that serve in-place updates in namespaces of ours: Cluster API updates nothing there.")
                .register(registry);
        for (Hook hook : Hook.values()) {
            timer(hook);
            for (HookOutcome outcome : HookOutcome.of(hook)) {
                answers(hook, outcome);
            }
        }
    }

    private Timer timer(Hook hook) {
        return Timer.builder("flotilla.extension.hook.duration")
                .description("How long the answers to hooks take.")
                .tags(List.of(MetricLabel.OPERATION.of(hook, hook.hookName())))
                .publishPercentileHistogram()
                .register(registry);
    }

    void countAnswer(Hook hook, HookOutcome outcome, Duration took) {
        timer(hook).record(took);
        answers(hook, outcome).increment();
    }

    private Counter answers(Hook hook, HookOutcome outcome) {
        return Counter.builder("flotilla.extension.hook.answers")
                .description("Answers to hooks, by what they say.")
                .tags(List.of(
                        MetricLabel.OPERATION.of(hook, hook.hookName()),
                        MetricLabel.OUTCOME.of(outcome, outcome.label())))
                .register(registry);
    }

    void countAborted(int tasks) {
        abortedTasks.increment(tasks);
    }

    void countFailedReport() {
        failedReports.increment();
    }
}
