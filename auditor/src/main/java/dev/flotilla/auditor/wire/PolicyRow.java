package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of the fleet or a site, as written or as accepted. */
public record PolicyRow(
        String scope,
        @Nullable Limit inFlight,
        @Nullable Limit siteInFlight,
        boolean frozen,
        @Nullable Long lostAfter,
        @Nullable Limit intentsUnavailable,
        @Nullable List<String> intentsPaths,
        @Nullable String timeZone,
        List<Window> windows,
        @Nullable Long estimate,
        @Nullable String classLabel)
        implements Row {
    static PolicyRow read(Fields row) {
        Fields spec = row.in("spec");
        Fields caps = spec.in("caps");
        return new PolicyRow(
                row.in("metadata").text("name"),
                Limit.read(caps, "inFlight"),
                Limit.read(caps, "siteInFlight"),
                spec.in("freeze").flag("frozen"),
                spec.in("attempts").durationOrNull("lostAfter"),
                spec.has("intents") ? Limit.readOr(spec.in("intents"), "maxUnavailable", Limit.ONE) : null,
                spec.has("intents") ? spec.in("intents").texts("localPaths") : null,
                spec.in("calendar").textOr("timeZone", null),
                Window.readAll(spec.in("calendar")),
                spec.in("calendar").durationOrNull("estimate"),
                spec.in("attempts").textOr("classLabel", null));
    }
}
