package dev.flotilla.tracing;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A span as the SDK's exporter reads it. The SDK's tracer cannot make it, because it chooses ids by itself. */
final class ExportedSpanData implements SpanData {
    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("dev.flotilla");

    private final AttemptSpan span;
    private final Resource resource;
    private final Attributes attributes;

    ExportedSpanData(AttemptSpan span, Resource resource) {
        this.span = span;
        this.resource = resource;
        AttributesBuilder builder = Attributes.builder();
        span.attributes().forEach((attribute, value) -> builder.put(attribute.key(), value));
        this.attributes = builder.build();
    }

    private SpanContext context(String spanId) {
        return SpanContext.create(span.trace().traceId(), spanId, TraceFlags.getSampled(), TraceState.getDefault());
    }

    @Override
    public SpanContext getSpanContext() {
        return context(span.spanId());
    }

    @Override
    public SpanContext getParentSpanContext() {
        return span.isRoot() ? SpanContext.getInvalid() : context(span.trace().rootSpanId());
    }

    @Override
    public String getName() {
        return span.name();
    }

    @Override
    public SpanKind getKind() {
        return SpanKind.INTERNAL;
    }

    @Override
    public StatusData getStatus() {
        String error = span.error();
        return error == null ? StatusData.ok() : StatusData.create(StatusCode.ERROR, error);
    }

    @Override
    public long getStartEpochNanos() {
        return nanos(span.startedAt());
    }

    @Override
    public long getEndEpochNanos() {
        return nanos(span.endedAt());
    }

    private static long nanos(Instant instant) {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }

    @Override
    public boolean hasEnded() {
        return true;
    }

    @Override
    public Attributes getAttributes() {
        return attributes;
    }

    @Override
    public int getTotalAttributeCount() {
        return attributes.size();
    }

    @Override
    public List<EventData> getEvents() {
        return List.of();
    }

    @Override
    public int getTotalRecordedEvents() {
        return 0;
    }

    @Override
    public List<LinkData> getLinks() {
        return List.of();
    }

    @Override
    public int getTotalRecordedLinks() {
        return 0;
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
        return SCOPE;
    }

    /** Only the SDK's interface still has it. */
    @Override
    @Deprecated
    @SuppressWarnings("deprecation")
    public io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
        return io.opentelemetry.sdk.common.InstrumentationLibraryInfo.create(SCOPE.getName(), null);
    }

    @Override
    public Resource getResource() {
        return resource;
    }
}
