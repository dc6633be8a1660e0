package dev.flotilla.managementwatcher.external;

import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who has sent a request, as Kubernetes names users.
 *
 * @param extra what the API server said besides about a token's user; null for nothing
 */
record RequestCaller(
        String user,
        @Nullable String uid,
        List<String> groups,
        @Nullable JsonValue extra) {
    RequestCaller {
        groups = List.copyOf(groups);
    }
}
