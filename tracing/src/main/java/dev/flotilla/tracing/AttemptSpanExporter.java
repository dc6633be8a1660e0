package dev.flotilla.tracing;

import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.runtime.log.LogOnChange;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Exports spans to a collector, on a thread of its own. Those who report spans never wait: a span that finds the queue full is dropped
 * and counted, and so is one that the collector does not accept after the SDK's retries.
 */
public final class AttemptSpanExporter implements AttemptSpanReceiver {
    /** About 6 spans belong to an attempt: a minute of a hundred machines. */
    static final int MAX_QUEUED = 4_096;

    private static final int MAX_BATCH = 512;

    /** Spans of this time are sent together. */
    private static final Duration BATCH_TIME = Duration.ofSeconds(1);

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

    /** Longer than all tries of a request take. */
    private static final Duration EXPORT_TIMEOUT = Duration.ofMinutes(2);

    /** How long a process that stops waits for the last spans. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger("flotilla");

    /** The SDK logs every failed request there. It is kept here, because a logger that nobody keeps loses its level. */
    private static final Logger SDK_LOG = Logger.getLogger("io.opentelemetry");

    private final SpanExporter exporter;
    private final Resource resource;
    private final TraceMetrics metrics;
    private final BlockingQueue<AttemptSpan> queue = new ArrayBlockingQueue<>(MAX_QUEUED);
    private final Thread thread;
    private final LogOnChange<Boolean> failing = new LogOnChange<>(false, (previous, now) -> {
        if (!now) {
            LOG.atInfo().log("trace export recovered");
        }
    });
    private volatile boolean closed;

    AttemptSpanExporter(SpanExporter exporter, Resource resource, TraceMetrics metrics) {
        this.exporter = exporter;
        this.resource = resource;
        this.metrics = metrics;
        this.thread = Thread.ofPlatform().name("trace-export").daemon().unstarted(this::run);
    }

    /**
     * Starts the export; without a configuration, all spans are ignored. The metrics exist in any case.
     *
     * @throws IOException if a file of the configuration is not valid
     */
    public static AttemptSpanReceiver start(
            @Nullable TracingConfig config, TracedProcess process, MeterRegistry registry) throws IOException {
        TraceMetrics metrics = new TraceMetrics(registry);
        if (config == null) {
            return NONE;
        }
        SDK_LOG.setLevel(Level.OFF);
        return new AttemptSpanExporter(createOtlpExporter(config), process.resource(), metrics).start();
    }

    @Override
    public boolean isExporting() {
        return true;
    }

    AttemptSpanExporter start() {
        thread.start();
        return this;
    }

    private static SpanExporter createOtlpExporter(TracingConfig config) throws IOException {
        OtlpHttpSpanExporterBuilder builder = OtlpHttpSpanExporter.builder()
                .setEndpoint(config.requestUrl())
                .setCompression("gzip")
                .setConnectTimeout(REQUEST_TIMEOUT)
                .setTimeout(REQUEST_TIMEOUT);
        Path headersFile = config.headersFile();
        if (headersFile != null) {
            builder.setHeaders(RequestHeadersFile.open(headersFile)::headers);
        }
        Path caFile = config.caFile();
        try {
            if (caFile != null) {
                builder.setTrustedCertificates(Files.readAllBytes(caFile));
            }
            return builder.build();
        } catch (IllegalStateException | IllegalArgumentException invalid) {
            throw new IOException("tracing.caFile " + caFile + " has no valid certificates, PEM", invalid);
        }
    }

    @Override
    public void report(AttemptSpan span) {
        if (closed || !queue.offer(span)) {
            metrics.countDropped(closed ? TraceMetrics.DropReason.SHUTDOWN : TraceMetrics.DropReason.QUEUE_FULL, 1);
        }
    }

    private void run() {
        try {
            while (!closed || !queue.isEmpty()) {
                export(takeBatch());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the spans of about a second, or fewer when the process stops. */
    private List<AttemptSpan> takeBatch() throws InterruptedException {
        List<AttemptSpan> batch = new ArrayList<>();
        long until = System.nanoTime() + BATCH_TIME.toNanos();
        while (batch.size() < MAX_BATCH) {
            long rest = closed ? 0 : until - System.nanoTime();
            AttemptSpan next = queue.poll(Math.min(rest, BATCH_TIME.toNanos() / 10), TimeUnit.NANOSECONDS);
            if (next != null) {
                batch.add(next);
            } else if (rest <= 0) {
                return batch;
            }
        }
        return batch;
    }

    private void export(List<AttemptSpan> batch) {
        if (batch.isEmpty()) {
            return;
        }
        List<SpanData> spans = new ArrayList<>(batch.size());
        batch.forEach(span -> spans.add(new ExportedSpanData(span, resource)));
        String problem = problemOf(spans);
        if (problem == null) {
            metrics.countExported(batch.size());
            failing.set(false);
            return;
        }
        metrics.countDropped(TraceMetrics.DropReason.EXPORT_FAILED, batch.size());
        if (!failing.current()) {
            LOG.atWarn().addKeyValue(LogKey.DETAIL.label(), problem).log("trace export failed");
        }
        failing.set(true);
    }

    /** Exports spans, and returns why that failed; null if it did not. */
    private @Nullable String problemOf(List<SpanData> spans) {
        try {
            CompletableResultCode result =
                    exporter.export(spans).join(EXPORT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            Throwable failure = result.getFailureThrowable();
            return result.isSuccess()
                    ? null
                    : failure == null ? "the collector did not accept the spans" : String.valueOf(failure);
        } catch (RuntimeException bug) {
            // A bug of a library that exports traces must not stop upgrades.
            return String.valueOf(bug);
        }
    }

    /** Sends the last spans, for a few seconds at most. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join(CLOSE_TIMEOUT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        List<AttemptSpan> left = new ArrayList<>();
        queue.drainTo(left);
        metrics.countDropped(TraceMetrics.DropReason.SHUTDOWN, left.size());
        exporter.shutdown();
    }
}
