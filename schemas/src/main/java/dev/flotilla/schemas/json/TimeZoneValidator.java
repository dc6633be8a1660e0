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
 * Finds unknown time zones in campaigns and policies: maintenance windows in them would never open. Codecs do not check this,
 * because the known time zones depend on the JVM; the reader of a file and the intake of a row do.
 */
public final class TimeZoneValidator {
    private static final String PROBLEM = "is not a known IANA time zone";

    private TimeZoneValidator() {}

    /** Returns a problem for each time zone of a row that is not known. */
    public static List<RejectionDetail> findProblems(RowChange rowChange, Predicate<TimeZoneName> known) {
        List<RejectionDetail> flaws = new ArrayList<>();
        switch (rowChange) {
            case Campaign campaign ->
                checkWindows("spec.windows", campaign.spec().windows(), known, flaws);
            case UpgradePolicy policy -> {
                checkTimeZone("spec.calendar.timeZone", policy.calendar().timeZone(), known, flaws);
                checkWindows("spec.calendar.windows", policy.calendar().windows(), known, flaws);
                if (policy.intentRule() != null) {
                    checkWindows("spec.intents.windows", policy.intentRule().windows(), known, flaws);
                }
            }
            default -> {
                // Other rows of operators have no time zone. An unknown one in a cluster's annotation closes the
                // gate of maintenance windows, which reports it.
            }
        }
        return flaws;
    }

    private static void checkWindows(
            String path, List<MaintenanceWindow> windows, Predicate<TimeZoneName> known, List<RejectionDetail> into) {
        for (int i = 0; i < windows.size(); i++) {
            checkTimeZone(path + "[" + i + "].zone", windows.get(i).timeZone(), known, into);
        }
    }

    private static void checkTimeZone(
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
