package dev.flotilla.simulator.k8sd;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.node.CallOutcome;
import dev.flotilla.simulator.node.SimNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * k8sd on one simulated node. It checks in the order of the real one: whether its database is open, the token, the body.
 * All happens on the thread that asks, which owns the node.
 */
public final class K8sd {
    private static final List<String> READY = List.of("Done", "Undone", "Hold", "Error");
    private static final List<String> OPTIONS = List.of("channel", "revision", "localPath");
    private static final String PEBBLE_CHANGE = "0";
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int FAILED = 500;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int UNAVAILABLE = 503;

    private final SimNode node;
    private final MachineKey machine;
    private final String token;
    private final Deque<K8sdFault> faults = new ArrayDeque<>();
    private Supplier<@Nullable String> database = () -> null;
    private boolean pebble;

    public K8sd(SimNode node, MachineKey machine, String token) {
        this.node = node;
        this.machine = machine;
        this.token = token;
    }

    /** Says why its database is not open; null where it is. */
    public void close(@Nullable String why) {
        database = () -> why;
    }

    /** Its database is open as long as nothing is said here against it. */
    public void openWhile(Supplier<@Nullable String> whatIsWrong) {
        database = whatIsWrong;
    }

    /** Why its database is not open; null where it is. */
    public @Nullable String closed() {
        return database.get();
    }

    /** It says so next, after what it was told earlier to say. */
    public void script(K8sdFault fault) {
        faults.add(fault);
    }

    /** It runs in a container, under pebble instead of snapd: every change is done at once, and done some seconds later. */
    public void underPebble() {
        pebble = true;
    }

    /** Answers a request that shows a token, or none. */
    public K8sdAnswer answer(String method, String path, @Nullable String shown, byte[] body) {
        if (!node.reachable()) {
            return new K8sdAnswer.Cut();
        }
        K8sdFault fault = scripted(path);
        if (fault == null) {
            return behaved(method, path, shown, body);
        }
        if (fault.taken()) {
            behaved(method, path, shown, body);
        }
        return fault.answer();
    }

    private @Nullable K8sdFault scripted(String path) {
        K8sdFault next = faults.stream()
                .filter(fault -> fault.path().equals(path))
                .findFirst()
                .orElse(null);
        if (next != null && next.times() != K8sdFault.ALWAYS) {
            faults.remove(next);
            if (next.times() > 1) {
                faults.addFirst(new K8sdFault(path, next.taken(), next.answer(), next.times() - 1));
            }
        }
        return next;
    }

    private K8sdAnswer behaved(String method, String path, @Nullable String shown, byte[] body) {
        String closed = database.get();
        if (closed != null) {
            return error(UNAVAILABLE, closed);
        }
        return switch (path) {
            case K8sdFault.REFRESH -> posted(method, shown, () -> refresh(body));
            case K8sdFault.STATUS -> posted(method, shown, () -> status(body));
            default -> error(NOT_FOUND, "not found");
        };
    }

    /** What is done with a body. */
    private interface Work {
        K8sdAnswer does();
    }

    private K8sdAnswer posted(String method, @Nullable String shown, Work work) {
        if (!method.equals("POST")) {
            return error(NOT_IMPLEMENTED, "not implemented");
        }
        if (shown == null) {
            return error(UNAUTHORIZED, "missing header \"node-token\"");
        }
        return shown.equals(token) ? work.does() : error(UNAUTHORIZED, "invalid token");
    }

    private K8sdAnswer refresh(byte[] body) {
        Map<String, String> fields = new TreeMap<>();
        String problem = read(body, OPTIONS, fields);
        if (problem != null) {
            return error(BAD_REQUEST, "failed to parse request: " + problem);
        }
        List<String> given = new ArrayList<>();
        fields.forEach((name, value) -> {
            if (!value.isEmpty()) {
                given.add(name + "=" + value);
            }
        });
        if (given.size() != 1) {
            return error(
                    BAD_REQUEST,
                    "invalid refresh options: "
                            + (given.isEmpty()
                                    ? "empty snap refresh target"
                                    : "only one of localPath, channel or revision can be specified"));
        }
        if (UpgradeTarget.problemOf(given.get(0)) != null) {
            return snap("exit status 64");
        }
        if (pebble) {
            return underPebble(UpgradeTarget.parse(given.get(0)), given.get(0));
        }
        return switch (node.refresh(machine, UpgradeTarget.parse(given.get(0)), 0, "k8sd")) {
            case CallOutcome.Accepted accepted -> success(new JsonObjectReader.Builder().put("changeId", accepted.changeId()));
            case CallOutcome.NothingToDo nothing -> success(new JsonObjectReader.Builder().put("changeId", ""));
            case CallOutcome.Conflict conflict -> snap("exit status 10");
            case CallOutcome.Refused refused -> error(UNAUTHORIZED, "invalid token");
            case CallOutcome.NotSent notSent -> new K8sdAnswer.Cut();
            case CallOutcome.NoAnswer noAnswer -> new K8sdAnswer.Cut();
        };
    }

    private K8sdAnswer underPebble(UpgradeTarget target, String given) {
        if (!(target instanceof UpgradeTarget.LocalPath)) {
            return error(
                    FAILED,
                    "failed to refresh snap: pebble does not support refreshing to a "
                            + given.substring(0, given.indexOf('=')) + ", only a local path");
        }
        node.copies(machine, target);
        return success(new JsonObjectReader.Builder().put("changeId", PEBBLE_CHANGE));
    }

    private static K8sdAnswer snap(String exit) {
        return error(FAILED, "failed to refresh snap: failed to refresh snap: " + exit);
    }

    private K8sdAnswer status(byte[] body) {
        Map<String, String> fields = new TreeMap<>();
        String problem = read(body, List.of("changeId"), fields);
        if (problem != null) {
            return error(BAD_REQUEST, "failed to parse request: " + problem);
        }
        String changeId = fields.getOrDefault("changeId", "");
        String status = pebble ? "Done" : node.status(changeId);
        return status == null
                ? new K8sdAnswer.Cut()
                : success(new JsonObjectReader.Builder()
                        .put("status", status)
                        .put("completed", READY.contains(status))
                        .put("errorMessage", node.error(changeId)));
    }

    /** Reads texts of these names and no others. Returns what is wrong, or null. */
    private static @Nullable String read(byte[] body, List<String> names, Map<String, String> fields) {
        if (!(JsonReader.read(body, DocumentLimits.RECORD_BYTES) instanceof ParseResult.ParsedDocument parsedDocument)
                || !(parsedDocument.value() instanceof JsonObjectReader jsonObjectReader)) {
            return "invalid character";
        }
        for (int i = 0; i < jsonObjectReader.size(); i++) {
            if (!names.contains(jsonObjectReader.name(i))) {
                return "json: unknown field \"" + jsonObjectReader.name(i) + "\"";
            }
            if (!(jsonObjectReader.value(i) instanceof JsonValue.JsonString jsonString)) {
                return "json: cannot unmarshal into Go struct field ." + jsonObjectReader.name(i) + " of type string";
            }
            fields.put(jsonObjectReader.name(i), jsonString.value());
        }
        return null;
    }

    private static K8sdAnswer success(JsonObjectReader.Builder metadata) {
        return said(OK, "sync", "Success", OK, 0, "", metadata.build());
    }

    private static K8sdAnswer error(int code, String error) {
        return said(code, "error", "", 0, code, error, new JsonValue.JsonNull(JsonValue.NO_LINE));
    }

    private static K8sdAnswer said(
            int http, String type, String status, int statusCode, int errorCode, String error, JsonValue metadata) {
        JsonWriter out = new JsonWriter();
        out.jsonValue(new JsonObjectReader.Builder()
                .put("type", type)
                .put("status", status)
                .put("status_code", statusCode)
                .put("operation", "")
                .put("error_code", errorCode)
                .put("error", error)
                .put("metadata", metadata)
                .build());
        return new K8sdAnswer.Said(http, new String(out.toBytes(), StandardCharsets.UTF_8));
    }
}
