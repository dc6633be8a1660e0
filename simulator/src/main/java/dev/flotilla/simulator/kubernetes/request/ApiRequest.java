package dev.flotilla.simulator.kubernetes.request;

import java.util.Map;

/** A request to one cluster. */
public final class ApiRequest {
    private final String method;
    private final String path;
    private final Map<String, String> query;
    private final String contentType;
    private final byte[] body;

    /**
     * A received request.
     *
     * @param path below the cluster's own path
     * @param query the last value of each parameter
     * @param contentType the header's value; empty if there is none
     * @param body must not be modified any more
     */
    public ApiRequest(String method, String path, Map<String, String> query, String contentType, byte[] body) {
        this.method = method;
        this.path = path;
        this.query = query;
        this.contentType = contentType;
        this.body = body;
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }

    String contentType() {
        return contentType;
    }

    byte[] body() {
        return body;
    }

    String queryParameter(String name) {
        return query.getOrDefault(name, "");
    }

    boolean hasQueryFlag(String name) {
        String value = queryParameter(name);
        return value.equals("true") || value.equals("1");
    }
}
