package dev.flotilla.runtime.metrics;

import dev.flotilla.schemas.id.SiteId;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** The meters of one process, for Prometheus. */
public final class PrometheusMetrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();

    /**
     * Meters of a process, with what the JVM has to say.
     *
     * @param application which of ours it is, a label of every meter
     */
    public PrometheusMetrics(String application) {
        this(Tags.of(MetricLabel.APPLICATION.label(), application));
    }

    /** The same of a process that belongs to a site, which is a label of every meter too. */
    public PrometheusMetrics(String application, SiteId site) {
        this(Tags.of(MetricLabel.APPLICATION.label(), application).and(MetricLabel.site(site)));
    }

    private PrometheusMetrics(Tags tags) {
        registry.config().commonTags(tags);
        registry.config().meterFilter(new MetricLabelValidator());
        collections.bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
    }

    /** Where an application's own meters are registered. */
    public MeterRegistry registry() {
        return registry;
    }

    /** All meters in Prometheus' text form. */
    public String toPrometheusText() {
        return registry.scrape();
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
