package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.ApiError;
import dev.flotilla.simulator.kubernetes.store.ApiResource;
import dev.flotilla.simulator.kubernetes.store.ResourceStore;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists objects, in pages if requested. A later page shows the objects as of its own request, although it has the
 * resource version of the first page; a watch from that version then repeats events rather than missing any.
 */
final class ListRequestHandler {
    private ListRequestHandler() {}

    static ApiResponse listObjects(
            ApiResource resource,
            ResourceStore resourceStore,
            long version,
            ObjectSelector objectSelector,
            ApiRequest request) {
        Long limit = number(request.queryParameter("limit"));
        Page from = request.queryParameter("continue").isEmpty()
                ? new Page(version, "")
                : Page.decode(request.queryParameter("continue"));
        if (limit == null || from == null) {
            return ApiResponse.errorResponse(ApiError.badRequest("limit or continue is not understood"));
        }
        List<StoredObject> found = new ArrayList<>();
        for (StoredObject object : resourceStore.objectsInNamespace(objectSelector.namespace())) {
            if (from.before(object) && objectSelector.matches(object)) {
                found.add(object);
            }
        }
        boolean more = limit > 0 && found.size() > limit;
        List<StoredObject> shown = more ? found.subList(0, limit.intValue()) : found;
        @Nullable
        String next = more ? new Page(from.version, shown.getLast().ref().key()).encode() : null;
        byte[] metadata = ImmutableJson.bytes(ImmutableJson.object(
                "resourceVersion",
                Long.toString(from.version),
                "continue",
                next,
                "remainingItemCount",
                more && objectSelector.matchesAllObjects() ? found.size() - shown.size() : null));
        return ApiResponse.json(200, listJson(resource, metadata, shown));
    }

    private static byte[] listJson(ApiResource resource, byte[] metadata, List<StoredObject> items) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(out, "{\"kind\":\"" + resource.kind() + "List\",\"apiVersion\":\"" + resource.apiVersion() + "\",");
        write(out, "\"metadata\":");
        out.writeBytes(metadata);
        write(out, ",\"items\":[");
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            out.writeBytes(items.get(i).bytes());
        }
        write(out, "]}");
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Parses a number; 0 if the text is empty, null if it is not a number. */
    static @Nullable Long number(String written) {
        if (written.isEmpty()) {
            return 0L;
        }
        try {
            return Math.max(0, Long.parseLong(written));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Where a page begins: after an object. */
    private record Page(long version, String after) {

        boolean before(StoredObject object) {
            return after.compareTo(object.ref().key()) < 0;
        }

        String encode() {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString((version + " " + after).getBytes(StandardCharsets.UTF_8));
        }

        static @Nullable Page decode(String written) {
            try {
                String text = new String(Base64.getUrlDecoder().decode(written), StandardCharsets.UTF_8);
                int space = text.indexOf(' ');
                Long version = space < 0 ? null : number(text.substring(0, space));
                return version == null ? null : new Page(version, text.substring(space + 1));
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
    }
}
