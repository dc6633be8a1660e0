package dev.flotilla.nodeworker.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeworker.stub.SampleObjects;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackupPreconditionsTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private static KubeObject object(@Nullable String backup) {
        return SampleObjects.kube(
                backup == null
                        ? "{'metadata': {}}"
                        : "{'metadata': {'annotations': {'flotilla.dev/backup-at': '" + backup + "'}}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "2026-03-01T11:00:00Z      | -                    | -",
                "-                         | 2026-03-01T11:00:00Z | -",
                "2026-03-01T13:30:00+02:00 | -                    | -",
                "2026-02-28T11:59:59Z      | 2026-02-28T12:00:00Z | -",
                "2026-03-01T12:04:00Z      | -                    | -",
                "2026-02-28T09:30:00Z      | -                    | the last backup is 1 d 2 h old"
                        + " (flotilla.dev/backup-at 2026-02-28T09:30:00Z), and one of the last 1 d 0 h is required",
                "-                         | -                    | no backup: neither the machine nor its cluster has"
                        + " a valid flotilla.dev/backup-at, and one of the last 1 d 0 h is required",
                "yesterday                 | -                    | no backup: neither the machine nor its cluster has"
                        + " a valid flotilla.dev/backup-at (\"yesterday\" is not a timestamp), and one of the last 1 d 0 h"
                        + " is required",
                "2026-03-02T12:00:00Z      | -                    | no backup: neither the machine nor its cluster has"
                        + " a valid flotilla.dev/backup-at (\"2026-03-02T12:00:00Z\" is in the future), and one of the"
                        + " last 1 d 0 h is required",
            })
    void reportsAMissingOrOldBackup(@Nullable String machine, @Nullable String cluster, @Nullable String problem) {
        assertThat(BackupPreconditions.findProblem(object(machine), object(cluster), Duration.ofHours(24), NOW))
                .isEqualTo(problem);
    }

    @Test
    void allowsNoBackupIfNoneIsRequired() {
        assertThat(BackupPreconditions.findProblem(object("never"), object(null), null, NOW))
                .isNull();
    }
}
