package dev.flotilla.simulator.k8sd;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.node.RefreshCallResult;
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
 * k8sd on one simulated node. It checks in the same order as the real one: the database is open, the token is valid,
 * the body is valid. It runs on the caller's thread, which owns the node.
 */
public final class SimK8sd {
    private static final List<String> FINAL_STATUSES = List.of("Done", "Undone", "Hold", "Error");
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
    private final Deque<ScriptedK8sdFault> faults = new ArrayDeque<>();
    private Supplier<@Nullable String> databaseProblem = () -> null;
    private boolean pebble;

    public SimK8sd(SimNode node, MachineKey machine, String token) {
        this.node = node;
        this.machine = machine;
        this.token = token;
    }

    /** Closes its database with a problem, or opens it with null. */
    public void closeDatabase(@Nullable String problem) {
        databaseProblem = () -> problem;
    }

    /** Sets the check of its database: the database is open while the check returns null. */
    public void setDatabaseCheck(Supplier<@Nullable String> check) {
        databaseProblem = check;
    }

    /** Injects a fault, which takes effect after the faults injected before. */
    public void injectFault(ScriptedK8sdFault fault) {
        faults.add(fault);
    }

    /**
     * Runs in a container, under pebble instead of snapd: each change reports success immediately, and completes a few
     * seconds later.
     */
    public void runUnderPebble() {
        pebble = true;
    }

    /** Handles a request; {@code shown} is the token in it, or null. */
    public SimK8sdResponse handleRequest(String method, String path, @Nullable String shown, byte[] body) {
        if (!node.isReachable()) {
            return new SimK8sdResponse.ConnectionClosed();
        }
        ScriptedK8sdFault fault = takeScriptedFault(path);
        if (fault == null) {
            return handleNormally(method, path, shown, body);
        }
        if (fault.executesRequest()) {
            handleNormally(method, path, shown, body);
        }
        return fault.answer();
    }

    private @Nullable ScriptedK8sdFault takeScriptedFault(String path) {
        ScriptedK8sdFault next = faults.stream()
                .filter(fault -> fault.path().equals(path))
                .findFirst()
                .orElse(null);
        if (next != null && next.times() != ScriptedK8sdFault.ALWAYS) {
            faults.remove(next);
            if (next.times() > 1) {
                faults.addFirst(new ScriptedK8sdFault(path, next.executesRequest(), next.answer(), next.times() - 1));
            }
        }
        return next;
    }

    private SimK8sdResponse handleNormally(String method, String path, @Nullable String shown, byte[] body) {
        String closed = databaseProblem.get();
        if (closed != null) {
            return error(UNAVAILABLE, closed);
        }
        return switch (path) {
            case ScriptedK8sdFault.REFRESH -> handlePost(method, shown, () -> refresh(body));
            case ScriptedK8sdFault.STATUS -> handlePost(method, shown, () -> status(body));
            default -> error(NOT_FOUND, "not found");
        };
    }

    /** Handles the body of an authenticated request. */
    private interface BodyHandler {
        SimK8sdResponse handle();
    }

    private SimK8sdResponse handlePost(String method, @Nullable String shown, BodyHandler work) {
        if (!method.equals("POST")) {
            return error(NOT_IMPLEMENTED, "not implemented");
        }
        if (shown == null) {
            return error(UNAUTHORIZED, "missing header \"node-token\"");
        }
        return shown.equals(token) ? work.handle() : error(UNAUTHORIZED, "invalid token");
    }

    private SimK8sdResponse refresh(byte[] body) {
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
            return snapError("exit status 64");
        }
        if (pebble) {
            return runUnderPebble(UpgradeTarget.parse(given.get(0)), given.get(0));
        }
        return switch (node.refresh(machine, UpgradeTarget.parse(given.get(0)), 0, "k8sd")) {
            case RefreshCallResult.ChangeStarted changeStarted ->
                success(new JsonObjectReader.Builder().put("changeId", changeStarted.changeId()));
            case RefreshCallResult.NothingToDo nothing -> success(new JsonObjectReader.Builder().put("changeId", ""));
            case RefreshCallResult.NodeBusy nodeBusy -> snapError("exit status 10");
            case RefreshCallResult.CallRejected callRejected -> error(UNAUTHORIZED, "invalid token");
            case RefreshCallResult.NotSent notSent -> new SimK8sdResponse.ConnectionClosed();
            case RefreshCallResult.NoAnswer noAnswer -> new SimK8sdResponse.ConnectionClosed();
        };
    }

    private SimK8sdResponse runUnderPebble(UpgradeTarget target, String given) {
        if (!(target instanceof UpgradeTarget.LocalPath)) {
            return error(
                    FAILED,
                    "failed to refresh snap: pebble does not support refreshing to a "
                            + given.substring(0, given.indexOf('=')) + ", only a local path");
        }
        node.copyLocalFile(machine, target);
        return success(new JsonObjectReader.Builder().put("changeId", PEBBLE_CHANGE));
    }

    private static SimK8sdResponse snapError(String exit) {
        return error(FAILED, "failed to refresh snap: failed to refresh snap: " + exit);
    }

    private SimK8sdResponse status(byte[] body) {
        Map<String, String> fields = new TreeMap<>();
        String problem = read(body, List.of("changeId"), fields);
        if (problem != null) {
            return error(BAD_REQUEST, "failed to parse request: " + problem);
        }
        String changeId = fields.getOrDefault("changeId", "");
        String status = pebble ? "Done" : node.status(changeId);
        return status == null
                ? new SimK8sdResponse.ConnectionClosed()
                : success(new JsonObjectReader.Builder()
                        .put("status", status)
                        .put("completed", FINAL_STATUSES.contains(status))
                        .put("errorMessage", node.error(changeId)));
    }

    /** Reads string fields with these names only. Returns the problem, or null. */
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

    private static SimK8sdResponse success(JsonObjectReader.Builder metadata) {
        return response(OK, "sync", "Success", OK, 0, "", metadata.build());
    }

    private static SimK8sdResponse error(int code, String error) {
        return response(code, "error", "", 0, code, error, new JsonValue.JsonNull(JsonValue.NO_LINE));
    }

    private static SimK8sdResponse response(
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
        return new SimK8sdResponse.FullResponse(http, new String(out.toBytes(), StandardCharsets.UTF_8));
    }
}
