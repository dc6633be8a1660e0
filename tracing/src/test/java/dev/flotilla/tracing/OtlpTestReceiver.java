package dev.flotilla.tracing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

/** A receiver for OTLP over HTTP that reads the requests with the classes that OpenTelemetry generates. */
final class OtlpTestReceiver implements AutoCloseable {
    private final HttpServer server;
    private final BlockingQueue<ResourceSpans> received = new LinkedBlockingQueue<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();

    OtlpTestReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::receive);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void receive(HttpExchange exchange) throws IOException {
        authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        boolean compressed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
        try (InputStream body =
                compressed ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
            received.addAll(ExportTraceServiceRequest.parseFrom(body).getResourceSpansList());
        }
        exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    /** The spans of the next process in a request. */
    ResourceSpans next() throws InterruptedException {
        ResourceSpans next = received.poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new IllegalStateException("no spans within a minute");
        }
        return next;
    }

    List<String> authorizations() {
        return authorizations;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
