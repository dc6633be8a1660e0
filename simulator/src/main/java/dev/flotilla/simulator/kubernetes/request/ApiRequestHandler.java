package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.ApiError;
import dev.flotilla.simulator.kubernetes.store.ApiResource;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import dev.flotilla.simulator.kubernetes.store.WriteResult;
import dev.flotilla.simulator.kubernetes.store.WriteScope;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The API of one cluster: handles each request. */
public final class ApiRequestHandler {
    private static final String STATUS = "status";

    private final ClusterObjectStore store;
    private final ApiDiscoveryHandler apiDiscoveryHandler;
    private final PatchRequestHandler patchRequestHandler;
    private final PodEvictionHandler podEvictionHandler;
    private String issuedToken = "";
    private Function<ObjectReference, @Nullable String> podLogReader = pod -> null;

    public ApiRequestHandler(ClusterObjectStore store) {
        this.store = store;
        this.apiDiscoveryHandler = new ApiDiscoveryHandler(store);
        this.patchRequestHandler = new PatchRequestHandler(store);
        this.podEvictionHandler = new PodEvictionHandler(store);
    }

    /** The name under which a request is counted: its verb and resource. */
    public static String verb(ApiRequest request) {
        ResourcePath resourcePath = ResourcePath.parsePath(request.path());
        if (resourcePath == null) {
            return "get " + request.path();
        }
        boolean many = resourcePath.name().isEmpty();
        String verb = switch (request.method()) {
            case "GET" -> request.hasQueryFlag("watch") ? "watch" : many ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> many ? "deletecollection" : "delete";
            default -> request.method();
        };
        return verb + " " + resourcePath.plural()
                + (resourcePath.subresource().isEmpty() ? "" : "/" + resourcePath.subresource());
    }

    /** Sets what reads the log of a pod; null for none. */
    public void setPodLogReader(Function<ObjectReference, @Nullable String> reader) {
        podLogReader = reader;
    }

    /** Sets the token that every ServiceAccount gets. */
    public void setIssuedToken(String token) {
        issuedToken = token;
    }

    /** Handles a request. */
    public ApiResponse handleRequest(ApiRequest request) {
        ResourcePath resourcePath = ResourcePath.parsePath(request.path());
        if (resourcePath == null) {
            ApiResponse discovered = apiDiscoveryHandler.handleRequest(request.path());
            return discovered == null ? ApiResponse.errorResponse(ApiError.noSuchPath()) : discovered;
        }
        if (resourcePath.subresource().equals("token") && request.method().equals("POST")) {
            return ApiResponse.json(
                    201,
                    ImmutableJson.object(
                            "apiVersion", "authentication.k8s.io/v1",
                            "kind", "TokenRequest",
                            "status", ImmutableJson.object("token", issuedToken)));
        }
        ApiResource resource = store.resource(resourcePath.group(), resourcePath.version(), resourcePath.plural());
        if (resource == null) {
            resource = request.method().equals("POST")
                    ? resourceFromBody(resourcePath, ImmutableJson.read(request.body()))
                    : null;
        }
        if (resource == null) {
            return ApiResponse.errorResponse(ApiError.noSuchPath());
        }
        return resourcePath.name().isEmpty()
                ? handleCollection(resource, resourcePath, request)
                : handleObject(resource, resourcePath, request);
    }

    private static @Nullable ApiResource resourceFromBody(ResourcePath resourcePath, @Nullable JsonValue body) {
        String kind = ImmutableJson.textAt(body, "kind");
        return kind.isEmpty() || !resourcePath.subresource().isEmpty()
                ? null
                : new ApiResource(
                        resourcePath.group(),
                        resourcePath.version(),
                        resourcePath.plural(),
                        kind,
                        !resourcePath.namespace().isEmpty());
    }

    private ApiResponse handleCollection(ApiResource resource, ResourcePath resourcePath, ApiRequest request) {
        ObjectSelector objectSelector = ObjectSelector.parseRequest(resourcePath, request);
        if (objectSelector == null) {
            return ApiResponse.errorResponse(ApiError.badRequest("unable to parse requirement of the selector"));
        }
        return switch (request.method()) {
            case "GET" ->
                request.hasQueryFlag("watch")
                        ? watch(resource, objectSelector, request)
                        : ListRequestHandler.listObjects(
                                resource, store.resourceStore(resource), store.version(), objectSelector, request);
            case "POST" -> create(resource, resourcePath, request);
            case "DELETE" -> deleteAll(resource, objectSelector);
            default -> ApiResponse.errorResponse(ApiError.notAllowed());
        };
    }

    private ApiResponse watch(ApiResource resource, ObjectSelector objectSelector, ApiRequest request) {
        Long since = ListRequestHandler.number(request.queryParameter("resourceVersion"));
        Long seconds = ListRequestHandler.number(request.queryParameter("timeoutSeconds"));
        if (since == null || seconds == null) {
            return ApiResponse.errorResponse(ApiError.badRequest("resourceVersion or timeoutSeconds is not a number"));
        }
        return new ApiResponse.WatchResponse(
                new ObjectWatch(store.resourceStore(resource), objectSelector, since, seconds));
    }

    private ApiResponse create(ApiResource resource, ResourcePath resourcePath, ApiRequest request) {
        if (!(ImmutableJson.read(request.body()) instanceof JsonObjectReader object)) {
            return ApiResponse.errorResponse(ApiError.badRequest("the object provided is unrecognized"));
        }
        String name = ImmutableJson.textAt(object, "metadata", "name");
        if (name.isEmpty()) {
            String begin = ImmutableJson.textAt(object, "metadata", "generateName");
            if (begin.isEmpty()) {
                return ApiResponse.errorResponse(ApiError.invalid(
                        resource, "", "metadata.name: Required value: name or generateName is required"));
            }
            name = begin + Long.toString(store.version() + 1, Character.MAX_RADIX);
        }
        String namespace = ImmutableJson.textAt(object, "metadata", "namespace");
        if (resource.namespaced() == resourcePath.namespace().isEmpty()
                || !(namespace.isEmpty() || namespace.equals(resourcePath.namespace()))) {
            return ApiResponse.errorResponse(ApiError.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request"));
        }
        ObjectReference ref = resource.named(resourcePath.namespace(), name);
        return request.queryParameter("dryRun").equals("All")
                ? checkCreation(ref, object)
                : toResponse(store.create(ref, object), 201);
    }

    /** Answers as if the object were created. */
    private ApiResponse checkCreation(ObjectReference ref, JsonObjectReader object) {
        return store.get(ref) == null ? ApiResponse.json(201, object) : ApiResponse.errorResponse(ApiError.exists(ref));
    }

    private ApiResponse deleteAll(ApiResource resource, ObjectSelector objectSelector) {
        List<StoredObject> selected = new ArrayList<>();
        for (StoredObject object : store.resourceStore(resource).objectsInNamespace(objectSelector.namespace())) {
            if (objectSelector.matches(object)) {
                selected.add(object);
            }
        }
        selected.forEach(object -> store.delete(object.ref(), ImmutableJson.EMPTY));
        return ApiResponse.json(200, success());
    }

    private ApiResponse handleObject(ApiResource resource, ResourcePath resourcePath, ApiRequest request) {
        ObjectReference ref = resource.named(resourcePath.namespace(), resourcePath.name());
        if (resourcePath.subresource().equals("eviction")) {
            return resource.equals(BuiltInResources.PODS) && request.method().equals("POST")
                    ? evict(ref, request)
                    : ApiResponse.errorResponse(ApiError.notAllowed());
        }
        if (resourcePath.subresource().equals("portforward") && store.get(ref) != null) {
            Long port = ListRequestHandler.number(request.queryParameter("ports"));
            return port == null || port == 0
                    ? ApiResponse.errorResponse(ApiError.badRequest("query parameter \"ports\" must be a port"))
                    : new ApiResponse.PortForwardResponse(ref, port.intValue());
        }
        if (resource.equals(BuiltInResources.PODS) && resourcePath.subresource().equals("log")) {
            String log = podLogReader.apply(ref);
            return log == null
                    ? ApiResponse.errorResponse(ApiError.notFound(resource, ref.name()))
                    : ApiResponse.text(log);
        }
        if (!resourcePath.subresource().isEmpty() && !resourcePath.subresource().equals(STATUS)) {
            return ApiResponse.errorResponse(ApiError.noSuchPath());
        }
        WriteScope writeScope = resourcePath.subresource().equals(STATUS) ? WriteScope.STATUS : WriteScope.MAIN;
        return switch (request.method()) {
            case "GET" -> request.hasQueryFlag("watch") ? handleCollection(resource, resourcePath, request) : get(ref);
            case "PUT" -> put(ref, writeScope, request);
            case "PATCH" -> patch(ref, writeScope, request);
            case "DELETE" ->
                toResponse(
                        store.delete(ref, ImmutableJson.inner(ImmutableJson.read(request.body()), "preconditions")),
                        200);
            default -> ApiResponse.errorResponse(ApiError.notAllowed());
        };
    }

    private ApiResponse get(ObjectReference ref) {
        StoredObject found = store.get(ref);
        return found == null
                ? ApiResponse.errorResponse(ApiError.notFound(ref.resource(), ref.name()))
                : ApiResponse.json(200, found.bytes());
    }

    private ApiResponse put(ObjectReference ref, WriteScope writeScope, ApiRequest request) {
        if (!(ImmutableJson.read(request.body()) instanceof JsonObjectReader object)) {
            return ApiResponse.errorResponse(ApiError.badRequest("the object provided is unrecognized"));
        }
        String name = ImmutableJson.textAt(object, "metadata", "name");
        if (!name.equals(ref.name())) {
            return ApiResponse.errorResponse(ApiError.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + ref.name() + ")"));
        }
        boolean custom = ref.resource().group().endsWith("cluster.x-k8s.io");
        if (custom
                && ImmutableJson.textAt(object, "metadata", "resourceVersion").isEmpty()) {
            return ApiResponse.errorResponse(ApiError.invalid(
                    ref.resource(),
                    ref.name(),
                    "metadata.resourceVersion: Invalid value: 0: must be specified for an update"));
        }
        return toResponse(store.replace(ref, object, writeScope), 200);
    }

    private ApiResponse patch(ObjectReference ref, WriteScope writeScope, ApiRequest request) {
        boolean there = store.get(ref) != null;
        return toResponse(patchRequestHandler.patch(ref, writeScope, request), there ? 200 : 201);
    }

    private ApiResponse evict(ObjectReference ref, ApiRequest request) {
        WriteResult writeResult = podEvictionHandler.evict(ref, ImmutableJson.read(request.body()));
        return writeResult instanceof ApiError apiError
                ? ApiResponse.errorResponse(apiError)
                : ApiResponse.json(201, success());
    }

    private static ApiResponse toResponse(WriteResult writeResult, int status) {
        return switch (writeResult) {
            case StoredObject storedObject -> ApiResponse.json(status, storedObject.bytes());
            case WriteResult.RemovedObject removedObject -> ApiResponse.json(status, success());
            case ApiError apiError -> ApiResponse.errorResponse(apiError);
        };
    }

    private static JsonObjectReader success() {
        return ImmutableJson.object(
                "kind", "Status", "apiVersion", "v1", "metadata", ImmutableJson.EMPTY, "status", "Success");
    }
}
