package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Selects objects of a resource. */
final class ObjectSelector {
    private final String namespace;
    private final List<SelectorRequirement> labels;
    private final List<SelectorRequirement> fields;

    private ObjectSelector(String namespace, List<SelectorRequirement> labels, List<SelectorRequirement> fields) {
        this.namespace = namespace;
        this.labels = labels;
        this.fields = fields;
    }

    /** Parses the selector of a request; null if it is invalid. */
    static @Nullable ObjectSelector parseRequest(ResourcePath resourcePath, ApiRequest request) {
        List<SelectorRequirement> labels = SelectorRequirement.parseSelector(request.queryParameter("labelSelector"));
        List<SelectorRequirement> fields = SelectorRequirement.parseSelector(request.queryParameter("fieldSelector"));
        if (labels == null || fields == null) {
            return null;
        }
        if (!resourcePath.name().isEmpty()) {
            fields = new ArrayList<>(fields);
            fields.add(SelectorRequirement.equal("metadata.name", resourcePath.name()));
        }
        return new ObjectSelector(resourcePath.namespace(), labels, fields);
    }

    String namespace() {
        return namespace;
    }

    /** Whether it selects all objects of a namespace, or of all namespaces. */
    boolean matchesAllObjects() {
        return labels.isEmpty() && fields.isEmpty();
    }

    boolean matches(@Nullable StoredObject object) {
        if (object == null) {
            return false;
        }
        ObjectReference ref = object.ref();
        if (!namespace.isEmpty() && !namespace.equals(ref.namespace())) {
            return false;
        }
        JsonObjectReader has = ImmutableJson.inner(object.tree(), "metadata", "labels");
        for (SelectorRequirement selectorRequirement : labels) {
            if (!selectorRequirement.matches(
                    has.get(selectorRequirement.key()) == null
                            ? null
                            : ImmutableJson.textAt(has, selectorRequirement.key()))) {
                return false;
            }
        }
        for (SelectorRequirement selectorRequirement : fields) {
            if (!selectorRequirement.matches(ImmutableJson.textAt(
                    object.tree(), selectorRequirement.key().split("\\.", -1)))) {
                return false;
            }
        }
        return true;
    }
}
