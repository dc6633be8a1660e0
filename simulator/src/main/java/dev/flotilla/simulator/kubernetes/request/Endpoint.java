package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.ObjectRef;
import dev.flotilla.simulator.kubernetes.store.Outcome;
import dev.flotilla.simulator.kubernetes.store.Part;
import dev.flotilla.simulator.kubernetes.store.Refusal;
import dev.flotilla.simulator.kubernetes.store.Resource;
import dev.flotilla.simulator.kubernetes.store.Resources;
import dev.flotilla.simulator.kubernetes.store.Store;
import dev.flotilla.simulator.kubernetes.store.Stored;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API of one cluster: what it answers to each request. */
public final class Endpoint {
    private static final String STATUS = "status";

    private final Store store;
    private final Discovery discovery;
    private final Patching patching;
    private final Eviction eviction;

    public Endpoint(Store store) {
        this.store = store;
        this.discovery = new Discovery(store);
        this.patching = new Patching(store);
        this.eviction = new Eviction(store);
    }

    /** What a request is counted as: its verb and what it is about. */
    public static String verb(ApiRequest request) {
        Route route = Route.of(request.path());
        if (route == null) {
            return "get " + request.path();
        }
        boolean many = route.name().isEmpty();
        String verb = switch (request.method()) {
            case "GET" -> request.flagged("watch") ? "watch" : many ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> many ? "deletecollection" : "delete";
            default -> request.method();
        };
        return verb + " " + route.plural() + (route.subresource().isEmpty() ? "" : "/" + route.subresource());
    }

    /** Answers. */
    public ApiAnswer answer(ApiRequest request) {
        Route route = Route.of(request.path());
        if (route == null) {
            ApiAnswer discovered = discovery.answer(request.path());
            return discovered == null ? ApiAnswer.refused(Refusal.noSuchPath()) : discovered;
        }
        Resource resource = store.resource(route.group(), route.version(), route.plural());
        if (resource == null) {
            resource = request.method().equals("POST") ? learned(route, Json.read(request.body())) : null;
        }
        if (resource == null) {
            return ApiAnswer.refused(Refusal.noSuchPath());
        }
        return route.name().isEmpty() ? many(resource, route, request) : one(resource, route, request);
    }

    private static @Nullable Resource learned(Route route, @Nullable JsonValue body) {
        String kind = Json.text(body, "kind");
        return kind.isEmpty() || !route.subresource().isEmpty()
                ? null
                : new Resource(
                        route.group(),
                        route.version(),
                        route.plural(),
                        kind,
                        !route.namespace().isEmpty());
    }

    private ApiAnswer many(Resource resource, Route route, ApiRequest request) {
        Selection selection = Selection.of(route, request);
        if (selection == null) {
            return ApiAnswer.refused(Refusal.badRequest("unable to parse requirement of the selector"));
        }
        return switch (request.method()) {
            case "GET" ->
                request.flagged("watch")
                        ? watch(resource, selection, request)
                        : Listing.of(resource, store.shelf(resource), store.version(), selection, request);
            case "POST" -> create(resource, route, request);
            case "DELETE" -> deleteAll(resource, selection);
            default -> ApiAnswer.refused(Refusal.notAllowed());
        };
    }

    private ApiAnswer watch(Resource resource, Selection selection, ApiRequest request) {
        Long since = Listing.number(request.asked("resourceVersion"));
        Long seconds = Listing.number(request.asked("timeoutSeconds"));
        if (since == null || seconds == null) {
            return ApiAnswer.refused(Refusal.badRequest("resourceVersion or timeoutSeconds is not a number"));
        }
        return new ApiAnswer.Watching(new Watch(store.shelf(resource), selection, since, seconds));
    }

    private ApiAnswer create(Resource resource, Route route, ApiRequest request) {
        if (!(Json.read(request.body()) instanceof JsonObjectReader object)) {
            return ApiAnswer.refused(Refusal.badRequest("the object provided is unrecognized"));
        }
        String name = Json.text(object, "metadata", "name");
        if (name.isEmpty()) {
            String begin = Json.text(object, "metadata", "generateName");
            if (begin.isEmpty()) {
                return ApiAnswer.refused(Refusal.invalid(
                        resource, "", "metadata.name: Required value: name or generateName is required"));
            }
            name = begin + Long.toString(store.version() + 1, Character.MAX_RADIX);
        }
        String namespace = Json.text(object, "metadata", "namespace");
        if (resource.namespaced() == route.namespace().isEmpty()
                || !(namespace.isEmpty() || namespace.equals(route.namespace()))) {
            return ApiAnswer.refused(Refusal.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request"));
        }
        return said(store.create(resource.named(route.namespace(), name), object), 201);
    }

    private ApiAnswer deleteAll(Resource resource, Selection selection) {
        List<Stored> meant = new ArrayList<>();
        for (Stored object : store.shelf(resource).in(selection.namespace())) {
            if (selection.meets(object)) {
                meant.add(object);
            }
        }
        meant.forEach(object -> store.delete(object.ref(), Json.EMPTY));
        return ApiAnswer.json(200, success());
    }

    private ApiAnswer one(Resource resource, Route route, ApiRequest request) {
        ObjectRef ref = resource.named(route.namespace(), route.name());
        if (route.subresource().equals("eviction")) {
            return resource.equals(Resources.PODS) && request.method().equals("POST")
                    ? evicted(ref, request)
                    : ApiAnswer.refused(Refusal.notAllowed());
        }
        if (route.subresource().equals("portforward") && store.get(ref) != null) {
            Long port = Listing.number(request.asked("ports"));
            return port == null || port == 0
                    ? ApiAnswer.refused(Refusal.badRequest("query parameter \"ports\" must be a port"))
                    : new ApiAnswer.Forwarding(ref, port.intValue());
        }
        if (!route.subresource().isEmpty() && !route.subresource().equals(STATUS)) {
            return ApiAnswer.refused(Refusal.noSuchPath());
        }
        Part part = route.subresource().equals(STATUS) ? Part.STATUS : Part.MAIN;
        return switch (request.method()) {
            case "GET" -> request.flagged("watch") ? many(resource, route, request) : get(ref);
            case "PUT" -> put(ref, part, request);
            case "PATCH" -> patch(ref, part, request);
            case "DELETE" -> said(store.delete(ref, Json.inner(Json.read(request.body()), "preconditions")), 200);
            default -> ApiAnswer.refused(Refusal.notAllowed());
        };
    }

    private ApiAnswer get(ObjectRef ref) {
        Stored found = store.get(ref);
        return found == null
                ? ApiAnswer.refused(Refusal.notFound(ref.resource(), ref.name()))
                : ApiAnswer.json(200, found.bytes());
    }

    private ApiAnswer put(ObjectRef ref, Part part, ApiRequest request) {
        if (!(Json.read(request.body()) instanceof JsonObjectReader object)) {
            return ApiAnswer.refused(Refusal.badRequest("the object provided is unrecognized"));
        }
        String name = Json.text(object, "metadata", "name");
        if (!name.equals(ref.name())) {
            return ApiAnswer.refused(Refusal.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + ref.name() + ")"));
        }
        boolean custom = ref.resource().group().endsWith("cluster.x-k8s.io");
        if (custom && Json.text(object, "metadata", "resourceVersion").isEmpty()) {
            return ApiAnswer.refused(Refusal.invalid(
                    ref.resource(),
                    ref.name(),
                    "metadata.resourceVersion: Invalid value: 0: must be specified for an update"));
        }
        return said(store.replace(ref, object, part), 200);
    }

    private ApiAnswer patch(ObjectRef ref, Part part, ApiRequest request) {
        boolean there = store.get(ref) != null;
        return said(patching.patch(ref, part, request), there ? 200 : 201);
    }

    private ApiAnswer evicted(ObjectRef ref, ApiRequest request) {
        Outcome outcome = eviction.evict(ref, Json.read(request.body()));
        return outcome instanceof Refusal refusal ? ApiAnswer.refused(refusal) : ApiAnswer.json(201, success());
    }

    private static ApiAnswer said(Outcome outcome, int status) {
        return switch (outcome) {
            case Stored stored -> ApiAnswer.json(status, stored.bytes());
            case Outcome.Removed removed -> ApiAnswer.json(status, success());
            case Refusal refusal -> ApiAnswer.refused(refusal);
        };
    }

    private static JsonObjectReader success() {
        return Json.object("kind", "Status", "apiVersion", "v1", "metadata", Json.EMPTY, "status", "Success");
    }
}
