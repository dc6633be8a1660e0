package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.kube.AnnotationKeys;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that there is a recent backup. Backup tools annotate the Machine or its Cluster with its time. */
public final class BackupPreconditions {
    /** Tolerance for clocks that are ahead. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(5);

    private static final int MINUTES = 60;
    private static final int HOURS_PER_DAY = 24;

    private BackupPreconditions() {}

    /** Returns why there is no recent backup; null if there is one, or none is required. */
    public static @Nullable String findProblem(
            KubeObject machine, KubeObject cluster, @Nullable Duration maxAge, Instant now) {
        if (maxAge == null) {
            return null;
        }
        Instant newest = null;
        List<String> invalid = new ArrayList<>();
        for (KubeObject object : List.of(machine, cluster)) {
            String text = object.annotation(AnnotationKeys.BACKUP_AT);
            Instant at = text == null ? null : parseInstant(text);
            if (text != null && (at == null || at.isAfter(now.plus(CLOCK_TOLERANCE)))) {
                invalid.add("\"" + RedactedText.redact(text) + "\" "
                        + (at == null ? "is not a timestamp" : "is in the future"));
            } else if (at != null && (newest == null || at.isAfter(newest))) {
                newest = at;
            }
        }
        if (newest == null) {
            return "no backup: neither the machine nor its cluster has a valid " + AnnotationKeys.BACKUP_AT
                    + (invalid.isEmpty() ? "" : " (" + String.join(", ", invalid) + ")") + ", and one of the last "
                    + formatDuration(maxAge) + " is required";
        }
        Duration age = Duration.between(newest, now);
        return age.compareTo(maxAge) <= 0
                ? null
                : "the last backup is " + formatDuration(age) + " old (" + AnnotationKeys.BACKUP_AT + " " + newest
                        + "), and one of the last " + formatDuration(maxAge) + " is required";
    }

    private static @Nullable Instant parseInstant(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static String formatDuration(Duration duration) {
        long minutes = duration.toMinutes();
        long hours = minutes / MINUTES;
        if (minutes < MINUTES) {
            return minutes + " min";
        }
        return hours < HOURS_PER_DAY
                ? hours + " h " + minutes % MINUTES + " min"
                : hours / HOURS_PER_DAY + " d " + hours % HOURS_PER_DAY + " h";
    }
}
