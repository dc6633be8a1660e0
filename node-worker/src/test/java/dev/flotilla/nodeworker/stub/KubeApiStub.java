package dev.flotilla.nodeworker.stub;

import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A stub of an API server: objects by path, patched as they are asked to be, and a list of what was asked. It has no
 * admission, no watches and no controllers, and knows as much of selectors as is asked of it.
 */
public final class KubeApiStub implements AutoCloseable {
    private static final int CUT = -1;
    private static final Set<String> KINDS =
            Set.of("nodes", "pods", "namespaces", "endpointslices", "machinedrainrules", "secrets");

    public final ConcurrentSkipListMap<String, JsonObject> objects = new ConcurrentSkipListMap<>();

    /** Pods that a budget protects, as {@code namespace/name}. */
    public final ConcurrentSkipListSet<String> protectedPods = new ConcurrentSkipListSet<>();

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> served = new CopyOnWriteArrayList<>();
    private final List<String> users = new CopyOnWriteArrayList<>();
    private final List<Script> scripts = new CopyOnWriteArrayList<>();
    private final AtomicLong version = new AtomicLong(100);
    private final HttpServer server;
    private final boolean tls;
    private volatile @Nullable String token;
    private volatile @Nullable String elsewhere;

    private record Script(String request, Runnable action, int status) {}

    private record Answer(int status, JsonObject body) {
        static Answer status(int status, String message) {
            return new Answer(
                    status,
                    new JsonObject().put("kind", "Status").put("code", status).put("message", message));
        }
    }

    private KubeApiStub(Vertx vertx, @Nullable KeyAndCertificate identity) throws Exception {
        HttpServerOptions options = new HttpServerOptions().setHost("127.0.0.1").setPort(0);
        this.tls = identity != null;
        if (identity != null) {
            options.setSsl(true)
                    .setUseAlpn(true)
                    .setKeyCertOptions(new PemKeyCertOptions()
                            .addKeyValue(Buffer.buffer(identity.key()))
                            .addCertValue(Buffer.buffer(identity.certificate())));
        }
        this.server = done(
                vertx.createHttpServer(options).requestHandler(this::handle).listen());
    }

    public static KubeApiStub plain(Vertx vertx) throws Exception {
        return new KubeApiStub(vertx, null);
    }

    public static KubeApiStub secure(Vertx vertx, KeyAndCertificate identity) throws Exception {
        return new KubeApiStub(vertx, identity);
    }

    public static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    public String url() {
        return (tls ? "https" : "http") + "://127.0.0.1:" + server.actualPort();
    }

    /** Accepts only this token from now on. */
    public void expect(String bearer) {
        token = bearer;
    }

    /** Redirects all requests to another server from now on. */
    public void redirect(String to) {
        elsewhere = to;
    }

    public void put(String path, JsonObject object) {
        JsonObject metadata = object.getJsonObject("metadata");
        if (metadata == null) {
            metadata = new JsonObject();
            object.put("metadata", metadata);
        }
        metadata.put("name", path.substring(path.lastIndexOf('/') + 1))
                .put("resourceVersion", Long.toString(version.incrementAndGet()));
        int at = path.indexOf("/namespaces/");
        if (at >= 0) {
            String rest = path.substring(at + "/namespaces/".length());
            metadata.put("namespace", rest.contains("/") ? rest.substring(0, rest.indexOf('/')) : null);
        }
        if (!metadata.containsKey("uid")) {
            metadata.put("uid", "uid-of-" + metadata.getString("name"));
        }
        objects.put(path, object);
    }

    /** Writes an annotation as another client. */
    public void touch(String path, String annotation, @Nullable String value) {
        JsonObject body = new JsonObject()
                .put("metadata", new JsonObject().put("annotations", new JsonObject().put(annotation, value)));
        objects.compute(path, (at, object) -> written(merged(object, body)));
    }

    public @Nullable String annotation(String path, String name) {
        JsonObject annotations = objects.get(path).getJsonObject("metadata").getJsonObject("annotations");
        return annotations == null ? null : annotations.getString(name);
    }

    /** Runs an action right before the next such request is handled, such as {@code "PATCH /api/v1/nodes/n"}. */
    public void before(String request, Runnable action) {
        scripts.add(new Script(request, action, 0));
    }

    /** Rejects the next such request. */
    public void refuse(String request, int status) {
        scripts.add(new Script(request, () -> {}, status));
    }

    /** Performs the next such request, and closes its connection instead of answering. */
    public void cut(String request) {
        scripts.add(new Script(request, () -> {}, CUT));
    }

    public List<String> asked() {
        return List.copyOf(asked);
    }

    public void forgetAsked() {
        asked.clear();
    }

    public List<String> reads() {
        return asked.stream().filter(one -> one.startsWith("GET ")).toList();
    }

    /** The bodies of all answers, one after the other. */
    public String served() {
        return String.join("\n", served);
    }

    public List<String> users() {
        return List.copyOf(users);
    }

    private void handle(HttpServerRequest request) {
        String expected = token;
        request.body().onSuccess(body -> {
            String what = request.method() + " " + request.path();
            asked.add(what);
            users.add(String.valueOf(request.getHeader("Impersonate-User")));
            String to = elsewhere;
            if (to != null) {
                request.response()
                        .setStatusCode(307)
                        .putHeader("Location", to + request.uri())
                        .end();
                return;
            }
            Answer answer = expected != null && !("Bearer " + expected).equals(request.getHeader("Authorization"))
                    ? Answer.status(401, "Unauthorized")
                    : scripted(what, request, body);
            if (answer.status() == CUT) {
                request.connection().close();
                return;
            }
            served.add(answer.body().encode());
            request.response()
                    .setStatusCode(answer.status())
                    .putHeader("Content-Type", "application/json")
                    .end(answer.body().toBuffer());
        });
    }

    private Answer scripted(String what, HttpServerRequest request, Buffer body) {
        for (Script script : scripts) {
            if (script.request().equals(what)) {
                scripts.remove(script);
                script.action().run();
                if (script.status() == CUT) {
                    performed(request, body);
                    return new Answer(CUT, new JsonObject());
                }
                if (script.status() != 0) {
                    return Answer.status(script.status(), "rejected by the test");
                }
                break;
            }
        }
        return performed(request, body);
    }

    private Answer performed(HttpServerRequest request, Buffer body) {
        String path = request.path();
        return switch (request.method().name()) {
            case "GET" -> read(path, request);
            case "PATCH" -> patched(path, request.getHeader("Content-Type"), body);
            case "POST" ->
                path.endsWith("/eviction")
                        ? evicted(path, body.toJsonObject())
                        : created(path, body, "All".equals(request.getParam("dryRun")));
            default -> Answer.status(405, "not known here");
        };
    }

    private Answer read(String path, HttpServerRequest request) {
        JsonObject object = objects.get(path);
        if (object != null) {
            return new Answer(200, object);
        }
        String kind = path.substring(path.lastIndexOf('/') + 1);
        if (!KINDS.contains(kind)) {
            return Answer.status(404, path + " not found");
        }
        List<JsonObject> found = new ArrayList<>();
        for (Map.Entry<String, JsonObject> entry : objects.entrySet()) {
            String parent = entry.getKey().substring(0, entry.getKey().lastIndexOf('/'));
            boolean inIt = parent.equals(path)
                    || (kind.equals("pods") && path.equals("/api/v1/pods") && parent.endsWith("/pods"));
            if (inIt && selected(entry.getValue(), request)) {
                found.add(entry.getValue());
            }
        }
        int from = request.getParam("continue") == null ? 0 : Integer.parseInt(request.getParam("continue"));
        int limit = request.getParam("limit") == null ? found.size() : Integer.parseInt(request.getParam("limit"));
        int to = Math.min(found.size(), from + limit);
        JsonObject metadata =
                to < found.size() ? new JsonObject().put("continue", Integer.toString(to)) : new JsonObject();
        return new Answer(
                200, new JsonObject().put("metadata", metadata).put("items", new JsonArray(found.subList(from, to))));
    }

    private static boolean selected(JsonObject object, HttpServerRequest request) {
        String labels = request.getParam("labelSelector");
        if (labels != null) {
            JsonObject has = object.getJsonObject("metadata").getJsonObject("labels", new JsonObject());
            String[] parts = labels.split("=", 2);
            if (!has.containsKey(parts[0]) || (parts.length == 2 && !parts[1].equals(has.getString(parts[0])))) {
                return false;
            }
        }
        String fields = request.getParam("fieldSelector");
        return fields == null
                || fields.equals("spec.nodeName=" + object.getJsonObject("spec").getString("nodeName"));
    }

    private Answer patched(String path, String type, Buffer body) {
        JsonObject object = objects.get(path);
        if (object == null) {
            return Answer.status(404, path + " not found");
        }
        if (type.startsWith("application/json-patch+json")) {
            JsonObject copy = object.copy();
            for (Object step : body.toJsonArray()) {
                if (!stepped(copy, (JsonObject) step)) {
                    return Answer.status(422, "the server rejected our request due to an error in our request");
                }
            }
            return stored(path, copy);
        }
        JsonObject merge = body.toJsonObject();
        JsonObject metadata = merge.getJsonObject("metadata", new JsonObject());
        String wanted = metadata.getString("resourceVersion");
        if (wanted != null && !wanted.equals(object.getJsonObject("metadata").getString("resourceVersion"))) {
            return Answer.status(409, "the object has been modified");
        }
        return stored(path, merged(object, merge));
    }

    private Answer stored(String path, JsonObject object) {
        objects.put(path, written(object));
        return new Answer(200, object);
    }

    private JsonObject written(JsonObject object) {
        object.getJsonObject("metadata").put("resourceVersion", Long.toString(version.incrementAndGet()));
        return object;
    }

    private static JsonObject merged(JsonObject object, JsonObject patch) {
        JsonObject result = object.copy();
        for (String name : patch.fieldNames()) {
            Object value = patch.getValue(name);
            if (value == null) {
                result.remove(name);
            } else if (value instanceof JsonObject inner) {
                Object there = result.getValue(name);
                result.put(name, merged(there instanceof JsonObject old ? old : new JsonObject(), inner));
            } else {
                result.put(name, value);
            }
        }
        return result;
    }

    private static boolean stepped(JsonObject object, JsonObject step) {
        String[] names = step.getString("path").substring(1).split("/", -1);
        JsonObject parent = object;
        for (int i = 0; i < names.length - 1; i++) {
            parent = parent == null ? null : parent.getJsonObject(plain(names[i]));
        }
        String last = plain(names[names.length - 1]);
        if (parent == null) {
            return false;
        }
        switch (step.getString("op")) {
            case "test" -> {
                return Objects.equals(step.getValue("value"), parent.getValue(last));
            }
            case "add" -> parent.put(last, step.getValue("value"));
            case "remove" -> {
                return parent.remove(last) != null;
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static String plain(String name) {
        return name.replace("~1", "/").replace("~0", "~");
    }

    private Answer created(String path, Buffer body, boolean dryRun) {
        JsonObject object = body.toJsonObject();
        String at = path + "/" + object.getJsonObject("metadata").getString("name");
        if (objects.containsKey(at)) {
            return Answer.status(409, at + " already exists");
        }
        if (!dryRun) {
            put(at, object);
        }
        return new Answer(201, object);
    }

    private Answer evicted(String path, JsonObject eviction) {
        String at = path.substring(0, path.length() - "/eviction".length());
        JsonObject pod = objects.get(at);
        if (pod == null) {
            return Answer.status(404, at + " not found");
        }
        JsonObject metadata = pod.getJsonObject("metadata");
        if (!eviction.getJsonObject("deleteOptions")
                .getJsonObject("preconditions")
                .getString("uid")
                .equals(metadata.getString("uid"))) {
            return Answer.status(409, "another pod of that name");
        }
        if (protectedPods.contains(metadata.getString("namespace") + "/" + metadata.getString("name"))) {
            Answer no = Answer.status(429, "Cannot evict pod as it would violate the pod's disruption budget.");
            no.body()
                    .put(
                            "details",
                            new JsonObject()
                                    .put(
                                            "causes",
                                            new JsonArray()
                                                    .add(new JsonObject()
                                                            .put("message", "The budget web needs 3 healthy pods"))));
            return no;
        }
        metadata.put("deletionTimestamp", Instant.now().toString());
        return Answer.status(201, "");
    }

    @Override
    public void close() {
        server.close().toCompletionStage().toCompletableFuture().join();
    }
}
