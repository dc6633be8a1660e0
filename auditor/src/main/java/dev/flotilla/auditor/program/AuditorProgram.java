package dev.flotilla.auditor.program;

import dev.flotilla.auditor.check.InvariantViolation;
import dev.flotilla.auditor.check.JournalAudit;
import dev.flotilla.auditor.follow.AuditorKafkaSettings;
import dev.flotilla.auditor.follow.FreezeOrderWriter;
import dev.flotilla.auditor.follow.TopicFollower;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** Runs the audit until it is stopped, or until it has checked what its options request. */
public final class AuditorProgram {
    public static final int HOLDS = 0;
    public static final int BROKEN = 1;
    public static final int NO_BROKER = 3;

    private static final long SNAPSHOT_MILLIS = 1000;
    private static final long UNFINISHED_MILLIS = 10_000;
    private static final int MAX_UNFINISHED = 100;
    /** After the last requested decision, its rows and reports may still be missing. */
    private static final long SETTLE_MILLIS = 8000;

    private final AuditorOptions auditorOptions;
    private final PrintStream out;
    private final PrintStream err;
    private final JournalAudit journalAudit = new JournalAudit(this::onViolation);
    private final @Nullable FreezeOrderWriter freeze;
    private final TopicFollower topicFollower;
    private volatile boolean stopped;
    private volatile AuditSnapshot auditSnapshot =
            AuditSnapshot.takeSnapshot(journalAudit, 0, false, List.of(), List.of());
    private List<String> unfinished = List.of();
    private long lastUnfinishedMillis = Long.MIN_VALUE;
    private long lastSnapshotMillis = Long.MIN_VALUE;
    private long lastRecord;
    private @Nullable Long reachedMillis;

    public AuditorProgram(
            AuditorOptions auditorOptions, AuditorKafkaSettings settings, PrintStream out, PrintStream err) {
        this.auditorOptions = auditorOptions;
        this.out = out;
        this.err = err;
        this.freeze = auditorOptions.freeze() ? new FreezeOrderWriter(settings) : null;
        this.topicFollower = new TopicFollower(settings, journalAudit);
    }

    private void onViolation(InvariantViolation invariantViolation) {
        out.println(invariantViolation);
        if (freeze != null && journalAudit.isLive() && !journalAudit.isFrozenByOrder()) {
            String result = freeze.writeFreeze(invariantViolation);
            if (!result.isEmpty()) {
                out.println(result);
            }
        }
    }

    /** Runs to the end; returns the exit code. */
    public int runUntilEnd() {
        try (topicFollower) {
            topicFollower.startReading(auditorOptions.fromChapter(), auditorOptions.startTimeout());
            try (AuditorHttpServer auditorHttpServer =
                    new AuditorHttpServer(auditorOptions.listener(), () -> auditSnapshot)) {
                out.println(
                        "auditor ready at " + auditorHttpServer.url() + ", following " + auditorOptions.bootstrap());
                return follow();
            }
        } catch (WakeupException e) {
            return end(exitCode());
        } catch (KafkaException e) {
            err.println("auditor: " + describeFailure(e));
            return NO_BROKER;
        } catch (IOException e) {
            err.println("auditor: cannot listen on " + auditorOptions.listener().host() + ":"
                    + auditorOptions.listener().port() + ": " + e.getMessage());
            return BROKEN;
        }
    }

    /** What failed, and what to check. */
    private String describeFailure(KafkaException failure) {
        String brokers = auditorOptions.bootstrap();
        if (failure instanceof TimeoutException) {
            return "no broker at " + brokers + " answers (" + failure.getMessage()
                    + "): check that a broker runs and listens there, that the network allows the connection, and that"
                    + " --config has the settings of this listener, such as security.protocol";
        }
        if (failure instanceof AuthenticationException || failure instanceof AuthorizationException) {
            return "the brokers at " + brokers + " rejected the auditor (" + failure.getMessage()
                    + "): check the certificate or the password in --config, and its ACLs";
        }
        return "reading from the brokers at " + brokers + " failed: " + failure.getMessage();
    }

    private int follow() {
        lastRecord = now();
        while (!stopped) {
            long now = now();
            if (topicFollower.pollRecords() > 0) {
                lastRecord = now;
            }
            updateSnapshot(now);
            Integer code = auditorOptions.hasEnd() ? exitCodeIfDone(now) : null;
            if (code != null) {
                return end(code);
            }
        }
        return end(exitCode());
    }

    private static long now() {
        return System.nanoTime() / 1_000_000;
    }

    /** The exit code if what was requested has been checked, or never will be; null to go on. */
    private @Nullable Integer exitCodeIfDone(long now) {
        boolean quiet = topicFollower.isCaughtUp()
                && now - lastRecord >= auditorOptions.timeout().toMillis();
        Long until = auditorOptions.untilSeq();
        if (until == null) {
            if (quiet) {
                journalAudit.endRun();
            }
            return quiet ? (Integer) exitCode() : null;
        }
        if (journalAudit.seq() >= until && reachedMillis == null) {
            reachedMillis = now;
        }
        if (reachedMillis != null) {
            boolean settled =
                    topicFollower.isCaughtUp() && (journalAudit.isComplete() || now - reachedMillis >= SETTLE_MILLIS);
            return settled ? (Integer) exitCode() : null;
        }
        if (quiet) {
            err.println("auditor: the journal ends with decision " + journalAudit.seq() + ", before " + until);
            return BROKEN;
        }
        return null;
    }

    private int exitCode() {
        return journalAudit.findings().hasNoViolations() || !auditorOptions.hasEnd() ? HOLDS : BROKEN;
    }

    private void updateSnapshot(long now) {
        if (lastSnapshotMillis != Long.MIN_VALUE && now - lastSnapshotMillis < SNAPSHOT_MILLIS) {
            return;
        }
        lastSnapshotMillis = now;
        if (topicFollower.isCaughtUp()
                && (lastUnfinishedMillis == Long.MIN_VALUE || now - lastUnfinishedMillis >= UNFINISHED_MILLIS)) {
            lastUnfinishedMillis = now;
            unfinished = journalAudit.unfinishedMachines(MAX_UNFINISHED);
        }
        auditSnapshot = AuditSnapshot.takeSnapshot(
                journalAudit,
                topicFollower.lag(),
                topicFollower.isCaughtUp(),
                topicFollower.describeBlocked(),
                unfinished);
    }

    private int end(int code) {
        auditSnapshot = AuditSnapshot.takeSnapshot(
                journalAudit,
                0,
                topicFollower.isCaughtUp(),
                topicFollower.describeBlocked(),
                journalAudit.unfinishedMachines(MAX_UNFINISHED));
        if (auditorOptions.json() != null) {
            try {
                Files.writeString(auditorOptions.json(), auditSnapshot.json() + "\n");
            } catch (IOException e) {
                err.println("auditor: cannot write " + auditorOptions.json() + ": " + e.getMessage());
                return BROKEN;
            }
        }
        out.println("auditor: seq " + auditSnapshot.seq() + ", " + auditSnapshot.decisions() + " decisions checked, "
                + auditSnapshot.countViolations() + " violations, "
                + auditSnapshot.unverified().values().stream()
                        .mapToLong(Long::longValue)
                        .sum()
                + " unverified, at most " + auditSnapshot.maxInFlight() + " in flight");
        return code;
    }

    /** Ends the run at the next step; any thread may call this. */
    public void stop() {
        stopped = true;
        topicFollower.wakeUp();
    }
}
