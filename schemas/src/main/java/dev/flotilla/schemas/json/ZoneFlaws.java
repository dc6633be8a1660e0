package dev.flotilla.schemas.json;

import dev.flotilla.schemas.id.ZoneName;
import dev.flotilla.schemas.json.codec.Rejection;
import dev.flotilla.schemas.json.codec.Suggestion;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Window;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Time zones that a campaign or a policy names and nobody knows: windows in them would never open. A codec does not look for them,
 * since what one JVM knows is no property of a row: whoever takes a file or a row in does.
 */
public final class ZoneFlaws {
    private static final String PROBLEM = "is not an IANA time zone that this process knows";

    private ZoneFlaws() {}

    /** What is wrong with the zones that a fact names, by the zones that are known; most facts name none. */
    public static List<Rejection> of(Fact fact, Predicate<ZoneName> known) {
        List<Rejection> flaws = new ArrayList<>();
        switch (fact) {
            case Campaign campaign ->
                windows("spec.windows", campaign.spec().terms().windows(), known, flaws);
            case Policy policy -> {
                add("spec.calendar.timeZone", policy.calendar().timeZone(), known, flaws);
                windows("spec.calendar.windows", policy.calendar().windows(), known, flaws);
                if (policy.intents() != null) {
                    windows("spec.intents.windows", policy.intents().windows(), known, flaws);
                }
            }
            default -> {
                // No other row of people names a zone; what a cluster's annotation names is told where it closes
                // something.
            }
        }
        return flaws;
    }

    private static void windows(String path, List<Window> windows, Predicate<ZoneName> known, List<Rejection> into) {
        for (int i = 0; i < windows.size(); i++) {
            add(path + "[" + i + "].zone", windows.get(i).zone(), known, into);
        }
    }

    private static void add(String path, @Nullable ZoneName zone, Predicate<ZoneName> known, List<Rejection> into) {
        if (zone != null && !known.test(zone)) {
            String near = Suggestion.nearest(zone.id(), new TreeSet<>(ZoneId.getAvailableZoneIds()));
            into.add(new Rejection(
                    RejectionReason.BAD_VALUE,
                    path,
                    zone.id(),
                    PROBLEM,
                    near == null ? null : "did you mean " + near + "?"));
        }
    }
}
