package dev.flotilla.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.trace.AttemptTrace;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exporter and a server that reads the requests with OpenTelemetry's classes. */
class AttemptSpanExporterIT {
    private static final AttemptTrace TRACE =
            AttemptTrace.of(new MachineKey(new SiteId("east"), "fleet", "m-1"), "u-1", 7);
    private static final Instant START = Instant.parse("2026-11-28T02:14:00.123Z");
    private static final TracedProcess WORKER = new TracedProcess("node-worker", "east-1");

    private final PrometheusMetrics metrics = new PrometheusMetrics("test");

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        metrics.close();
    }

    private static AttemptSpan root() {
        return AttemptSpan.root(
                TRACE, START, START.plusSeconds(60), Map.of(SpanAttribute.MACHINE, "east/fleet/m-1"), "not-at-target");
    }

    private static AttemptSpan child() {
        return AttemptSpan.child(TRACE, "verifying", START.plusSeconds(5), START.plusSeconds(9), Map.of(), null);
    }

    @Test
    void aCollectorReceivesTheSpansWithTheirDerivedIds() throws Exception {
        Path headers = Files.writeString(folder.resolve("headers"), "Authorization: Bearer secret\n");
        try (OtlpTestReceiver receiver = new OtlpTestReceiver();
                AttemptSpanReceiver exporter = AttemptSpanExporter.start(
                        new TracingConfig(receiver.uri(), headers, null), WORKER, metrics.registry())) {
            exporter.report(root());
            exporter.report(child());
            ResourceSpans received = receiver.next();

            assertThat(received.getResource().getAttributesList().stream()
                            .map(each -> each.getKey() + "=" + each.getValue().getStringValue()))
                    .contains("service.name=flotilla-node-worker", "service.instance.id=east-1");
            List<Span> spans = received.getScopeSpans(0).getSpansList();
            assertThat(spans)
                    .extracting(span -> hex(span.getTraceId().toByteArray()))
                    .containsOnly(TRACE.traceId());
            assertThat(spans.get(0).getName()).isEqualTo("upgrade attempt");
            assertThat(hex(spans.get(0).getSpanId().toByteArray())).isEqualTo(TRACE.rootSpanId());
            assertThat(spans.get(0).getParentSpanId().isEmpty()).isTrue();
            assertThat(spans.get(0).getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
            assertThat(spans.get(0).getStatus().getMessage()).isEqualTo("not-at-target");
            assertThat(spans.get(0).getAttributes(0).getKey()).isEqualTo("flotilla.machine");
            assertThat(spans.get(0).getStartTimeUnixNano()).isEqualTo(START.toEpochMilli() * 1_000_000L);
            assertThat(hex(spans.get(1).getParentSpanId().toByteArray())).isEqualTo(TRACE.rootSpanId());
            assertThat(hex(spans.get(1).getSpanId().toByteArray()))
                    .isEqualTo(TRACE.childSpanId("verifying", START.plusSeconds(5)));
            assertThat(spans.get(1).getEndTimeUnixNano())
                    .isEqualTo(START.plusSeconds(9).toEpochMilli() * 1_000_000L);
            assertThat(receiver.authorizations()).containsOnly("Bearer secret");
        }
        assertThat(metrics.toPrometheusText())
                .contains("flotilla_trace_spans_exported_total{application=\"test\"} 2.0");
    }

    @Test
    void spansThatWaitAtTheEndAreSent() throws Exception {
        try (OtlpTestReceiver receiver = new OtlpTestReceiver()) {
            AttemptSpanReceiver exporter = AttemptSpanExporter.start(
                    new TracingConfig(receiver.uri(), null, null), WORKER, metrics.registry());
            exporter.report(child());
            exporter.close();

            assertThat(receiver.next().getScopeSpans(0).getSpansCount()).isEqualTo(1);
            exporter.report(child());
            assertThat(dropped("shutdown")).isEqualTo(1);
        }
    }

    /** Not started: nothing takes spans from the queue. */
    @Test
    void reportingNeverWaitsAndCountsWhatDoesNotFit() {
        AttemptSpanExporter exporter =
                new AttemptSpanExporter(new FailingExporter(), Resource.empty(), new TraceMetrics(metrics.registry()));

        for (int i = 0; i < AttemptSpanExporter.MAX_QUEUED + 3; i++) {
            exporter.report(child());
        }

        assertThat(dropped("queue-full")).isEqualTo(3);
    }

    @Test
    void aCollectorThatIsAwayCostsOnlySpans() {
        AttemptSpanExporter exporter = new AttemptSpanExporter(
                        new FailingExporter(), Resource.empty(), new TraceMetrics(metrics.registry()))
                .start();
        exporter.report(root());
        exporter.report(child());
        exporter.close();

        assertThat(dropped("export-failed")).isEqualTo(2);
    }

    @Test
    void withoutConfigurationThereAreMetricsOnly() throws IOException {
        assertThat(AttemptSpanExporter.start(null, WORKER, metrics.registry())).isSameAs(AttemptSpanReceiver.NONE);
        assertThat(dropped("export-failed")).isZero();
    }

    @Test
    void refusesAFileThatHasNoCertificates() throws IOException {
        Path ca = Files.writeString(folder.resolve("ca.crt"), "no certificate");
        TracingConfig config = new TracingConfig(URI.create("https://collector.example:4318"), null, ca);

        assertThatThrownBy(() -> AttemptSpanExporter.start(config, WORKER, metrics.registry()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tracing.caFile " + ca);
    }

    private double dropped(String reason) {
        return metrics.registry()
                .get("flotilla.trace.spans.dropped")
                .tag("reason", reason)
                .counter()
                .count();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static final class FailingExporter implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            return CompletableResultCode.ofFailure();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }
}
