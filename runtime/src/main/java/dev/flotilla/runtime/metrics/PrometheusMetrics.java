package dev.flotilla.runtime.metrics;

import dev.flotilla.runtime.process.BuildVersion;
import dev.flotilla.schemas.id.SiteId;
import io.micrometer.core.instrument.Gauge;
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
     * Makes the meters of a process, including the JVM's.
     *
     * @param application the application's name, a label of every meter
     */
    public PrometheusMetrics(String application) {
        this(Tags.of(MetricLabel.APPLICATION.label(), application));
    }

    /** Makes the meters of a process of a site; the site is a label of every meter as well. */
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
        Gauge.builder("flotilla.build.info", () -> 1)
                .description("Always 1. Its label has the version of the process, with its commit.")
                .tag(MetricLabel.VERSION.label(), BuildVersion.number())
                .register(registry);
    }

    /** Returns the registry for the application's own meters. */
    public MeterRegistry registry() {
        return registry;
    }

    /** Returns all meters in Prometheus' text format. */
    public String toPrometheusText() {
        return registry.scrape();
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
