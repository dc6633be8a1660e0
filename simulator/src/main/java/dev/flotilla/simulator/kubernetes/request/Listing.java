package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.Refusal;
import dev.flotilla.simulator.kubernetes.store.Resource;
import dev.flotilla.simulator.kubernetes.store.Shelf;
import dev.flotilla.simulator.kubernetes.store.Stored;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists, in pages where that is asked for. A later page shows what is there then and not what was there at the first one,
 * whose version it claims all the same; a watch from that version sees what it misses twice rather than never.
 */
final class Listing {
    private Listing() {}

    static ApiAnswer of(Resource resource, Shelf shelf, long version, Selection selection, ApiRequest request) {
        Long limit = number(request.asked("limit"));
        Page from = request.asked("continue").isEmpty() ? new Page(version, "") : Page.read(request.asked("continue"));
        if (limit == null || from == null) {
            return ApiAnswer.refused(Refusal.badRequest("limit or continue is not understood"));
        }
        List<Stored> found = new ArrayList<>();
        for (Stored object : shelf.in(selection.namespace())) {
            if (from.before(object) && selection.meets(object)) {
                found.add(object);
            }
        }
        boolean more = limit > 0 && found.size() > limit;
        List<Stored> shown = more ? found.subList(0, limit.intValue()) : found;
        @Nullable
        String next = more ? new Page(from.version, shown.getLast().ref().key()).written() : null;
        byte[] metadata = Json.bytes(Json.object(
                "resourceVersion",
                Long.toString(from.version),
                "continue",
                next,
                "remainingItemCount",
                more && selection.all() ? found.size() - shown.size() : null));
        return ApiAnswer.json(200, spelled(resource, metadata, shown));
    }

    private static byte[] spelled(Resource resource, byte[] metadata, List<Stored> items) {
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

    /** A number that is asked for; 0 where none is, null where it is none. */
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

        boolean before(Stored object) {
            return after.compareTo(object.ref().key()) < 0;
        }

        String written() {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString((version + " " + after).getBytes(StandardCharsets.UTF_8));
        }

        static @Nullable Page read(String written) {
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
