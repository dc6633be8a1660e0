package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.ObjectRef;
import dev.flotilla.simulator.kubernetes.store.Stored;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which objects of a resource are meant. */
final class Selection {
    private final String namespace;
    private final List<Requirement> labels;
    private final List<Requirement> fields;

    private Selection(String namespace, List<Requirement> labels, List<Requirement> fields) {
        this.namespace = namespace;
        this.labels = labels;
        this.fields = fields;
    }

    /** What a request selects; null where nobody could say what that is. */
    static @Nullable Selection of(Route route, ApiRequest request) {
        List<Requirement> labels = Requirement.all(request.asked("labelSelector"));
        List<Requirement> fields = Requirement.all(request.asked("fieldSelector"));
        if (labels == null || fields == null) {
            return null;
        }
        if (!route.name().isEmpty()) {
            fields = new ArrayList<>(fields);
            fields.add(Requirement.equal("metadata.name", route.name()));
        }
        return new Selection(route.namespace(), labels, fields);
    }

    String namespace() {
        return namespace;
    }

    /** Whether it is all objects of a namespace, or of all. */
    boolean all() {
        return labels.isEmpty() && fields.isEmpty();
    }

    boolean meets(@Nullable Stored object) {
        if (object == null) {
            return false;
        }
        ObjectRef ref = object.ref();
        if (!namespace.isEmpty() && !namespace.equals(ref.namespace())) {
            return false;
        }
        JsonObjectReader has = Json.inner(object.tree(), "metadata", "labels");
        for (Requirement requirement : labels) {
            if (!requirement.meets(has.get(requirement.key()) == null ? null : Json.text(has, requirement.key()))) {
                return false;
            }
        }
        for (Requirement requirement : fields) {
            if (!requirement.meets(Json.text(object.tree(), requirement.key().split("\\.", -1)))) {
                return false;
            }
        }
        return true;
    }
}
