package dev.flotilla.e2e.arena;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** A server that receives spans by OTLP over HTTP. It reads requests with the classes that OpenTelemetry generates; it is no Collector. */
public final class TraceCollector implements AutoCloseable {
    private final HttpServer server;
    private final List<CollectedSpan> spans = new CopyOnWriteArrayList<>();

    /** A span that a process has exported. */
    public record CollectedSpan(
            String service,
            String instance,
            String traceId,
            String spanId,
            String parentSpanId,
            String name,
            Map<String, String> attributes) {
        public boolean isRoot() {
            return parentSpanId.isEmpty();
        }
    }

    public TraceCollector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::receive);
        server.start();
    }

    /** The endpoint for the processes. */
    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void receive(HttpExchange exchange) throws IOException {
        boolean compressed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
        try (InputStream body =
                compressed ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
            ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().forEach(this::collect);
        }
        exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    private void collect(ResourceSpans resourceSpans) {
        Map<String, String> process = texts(resourceSpans.getResource().getAttributesList());
        resourceSpans
                .getScopeSpansList()
                .forEach(scope -> scope.getSpansList().forEach(span -> spans.add(collected(process, span))));
    }

    private static CollectedSpan collected(Map<String, String> process, Span span) {
        return new CollectedSpan(
                process.getOrDefault("service.name", ""),
                process.getOrDefault("service.instance.id", ""),
                hex(span.getTraceId()),
                hex(span.getSpanId()),
                hex(span.getParentSpanId()),
                span.getName(),
                texts(span.getAttributesList()));
    }

    private static Map<String, String> texts(List<KeyValue> attributes) {
        Map<String, String> texts = new TreeMap<>();
        attributes.forEach(each -> texts.put(each.getKey(), each.getValue().getStringValue()));
        return texts;
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    public List<CollectedSpan> spans() {
        return spans;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
