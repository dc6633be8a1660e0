package dev.flotilla.schemas.json;

import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.json.codec.SpellingSuggestion;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradePolicy;
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
public final class TimeZoneValidator {
    private static final String PROBLEM = "is not an IANA time zone that this process knows";

    private TimeZoneValidator() {}

    /** What is wrong with the zones that a fact names, by the zones that are known; most facts name none. */
    public static List<RejectionDetail> findProblems(RowChange rowChange, Predicate<TimeZoneName> known) {
        List<RejectionDetail> flaws = new ArrayList<>();
        switch (rowChange) {
            case Campaign campaign ->
                windows("spec.windows", campaign.spec().constraints().windows(), known, flaws);
            case UpgradePolicy policy -> {
                add("spec.calendar.timeZone", policy.calendar().timeZone(), known, flaws);
                windows("spec.calendar.windows", policy.calendar().windows(), known, flaws);
                if (policy.intentRule() != null) {
                    windows("spec.intents.windows", policy.intentRule().windows(), known, flaws);
                }
            }
            default -> {
                // No other row of people names a zone; what a cluster's annotation names is told where it closes
                // something.
            }
        }
        return flaws;
    }

    private static void windows(
            String path, List<MaintenanceWindow> windows, Predicate<TimeZoneName> known, List<RejectionDetail> into) {
        for (int i = 0; i < windows.size(); i++) {
            add(path + "[" + i + "].zone", windows.get(i).timeZone(), known, into);
        }
    }

    private static void add(
            String path, @Nullable TimeZoneName zone, Predicate<TimeZoneName> known, List<RejectionDetail> into) {
        if (zone != null && !known.test(zone)) {
            String near = SpellingSuggestion.nearest(zone.id(), new TreeSet<>(ZoneId.getAvailableZoneIds()));
            into.add(new RejectionDetail(
                    RejectionReason.BAD_VALUE,
                    path,
                    zone.id(),
                    PROBLEM,
                    near == null ? null : "did you mean " + near + "?"));
        }
    }
}
