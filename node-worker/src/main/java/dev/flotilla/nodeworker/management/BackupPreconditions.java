package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether there is a backup that is new enough, as whoever makes them notes on the Machine or on its Cluster. */
public final class BackupPreconditions {
    /** An instant, such as {@code 2026-01-02T03:04:05Z}. The newer one of the two counts. */
    static final String BACKUP_AT = "flotilla.dev/backup-at";

    /** Clocks differ. */
    private static final Duration AHEAD = Duration.ofMinutes(5);

    private static final int MINUTES = 60;
    private static final int HOURS = 24;

    private BackupPreconditions() {}

    /** Why there is none; null where there is one, or none is asked for. */
    public static @Nullable String findProblem(
            KubeObject machine, KubeObject cluster, @Nullable Duration oldest, Instant now) {
        if (oldest == null) {
            return null;
        }
        Instant newest = null;
        List<String> unfit = new ArrayList<>();
        for (KubeObject object : List.of(machine, cluster)) {
            String said = object.annotation(BACKUP_AT);
            Instant at = said == null ? null : instant(said);
            if (said != null && (at == null || at.isAfter(now.plus(AHEAD)))) {
                unfit.add("\"" + shortened(said) + "\" " + (at == null ? "is no instant" : "has not come yet"));
            } else if (at != null && (newest == null || at.isAfter(newest))) {
                newest = at;
            }
        }
        if (newest == null) {
            return "no backup: neither the machine nor its cluster has a right " + BACKUP_AT
                    + (unfit.isEmpty() ? "" : " (" + String.join(", ", unfit) + ")") + ", and one of the last "
                    + length(oldest) + " is required";
        }
        Duration age = Duration.between(newest, now);
        return age.compareTo(oldest) <= 0
                ? null
                : "the last backup is " + length(age) + " old (" + BACKUP_AT + " " + newest + "), and one of the last "
                        + length(oldest) + " is required";
    }

    private static @Nullable Instant instant(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static String shortened(String text) {
        return text.length() <= MINUTES ? text : text.substring(0, MINUTES);
    }

    private static String length(Duration duration) {
        long minutes = duration.toMinutes();
        long hours = minutes / MINUTES;
        if (minutes < MINUTES) {
            return minutes + " min";
        }
        return hours < HOURS
                ? hours + " h " + minutes % MINUTES + " min"
                : hours / HOURS + " d " + hours % HOURS + " h";
    }
}
