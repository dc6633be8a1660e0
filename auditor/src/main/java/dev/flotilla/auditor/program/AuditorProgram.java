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
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** The running program: reads until it is told to stop, or until it has seen what it was to look at. */
public final class AuditorProgram {
    public static final int HOLDS = 0;
    public static final int BROKEN = 1;
    public static final int NO_BROKER = 3;

    private static final long PICTURE_EVERY = 1000;
    private static final long UNFINISHED_EVERY = 10_000;
    private static final int UNFINISHED_SHOWN = 100;
    /** After the last decision that is asked for, its rows and words may still be on their way. */
    private static final long SETTLING = 8000;

    private final AuditorOptions auditorOptions;
    private final PrintStream out;
    private final PrintStream err;
    private final JournalAudit journalAudit = new JournalAudit(this::found);
    private final @Nullable FreezeOrderWriter freeze;
    private final TopicFollower topicFollower;
    private volatile boolean stopped;
    private volatile AuditSnapshot auditSnapshot =
            AuditSnapshot.takeSnapshot(journalAudit, 0, false, List.of(), List.of());
    private List<String> unfinished = List.of();
    private long counted = Long.MIN_VALUE;
    private long pictured = Long.MIN_VALUE;
    private long lastRecord;
    private @Nullable Long reached;

    public AuditorProgram(
            AuditorOptions auditorOptions, AuditorKafkaSettings settings, PrintStream out, PrintStream err) {
        this.auditorOptions = auditorOptions;
        this.out = out;
        this.err = err;
        this.freeze = auditorOptions.freeze() ? new FreezeOrderWriter(settings) : null;
        this.topicFollower = new TopicFollower(settings, journalAudit);
    }

    private void found(InvariantViolation invariantViolation) {
        out.println(invariantViolation);
        if (freeze != null && journalAudit.isLive() && !journalAudit.isFrozenByOrder()) {
            String said = freeze.writeFreeze(invariantViolation);
            if (!said.isEmpty()) {
                out.println(said);
            }
        }
    }

    /** Runs to its end; returns the exit code. */
    public int runUntilEnd() {
        try (topicFollower) {
            topicFollower.startReading(auditorOptions.fromChapter(), auditorOptions.timeout());
            try (AuditorHttpServer auditorHttpServer =
                    new AuditorHttpServer(auditorOptions.listener(), () -> auditSnapshot)) {
                out.println(
                        "auditor ready at " + auditorHttpServer.url() + ", following " + auditorOptions.bootstrap());
                return follow();
            }
        } catch (WakeupException e) {
            return end(code());
        } catch (KafkaException e) {
            err.println("auditor: no broker at " + auditorOptions.bootstrap() + ": " + e.getMessage());
            return NO_BROKER;
        } catch (IOException e) {
            err.println("auditor: cannot listen on " + auditorOptions.listener().host() + ":"
                    + auditorOptions.listener().port() + ": " + e.getMessage());
            return BROKEN;
        }
    }

    private int follow() {
        lastRecord = now();
        while (!stopped) {
            long now = now();
            if (topicFollower.pollRecords() > 0) {
                lastRecord = now;
            }
            picture(now);
            Integer code = auditorOptions.hasEnd() ? verdict(now) : null;
            if (code != null) {
                return end(code);
            }
        }
        return end(code());
    }

    private static long now() {
        return System.nanoTime() / 1_000_000;
    }

    /** The exit code if what was asked for has been seen, or never will be. */
    private @Nullable Integer verdict(long now) {
        boolean quiet = topicFollower.isCaughtUp()
                && now - lastRecord >= auditorOptions.timeout().toMillis();
        Long until = auditorOptions.untilSeq();
        if (until == null) {
            if (quiet) {
                journalAudit.endRun();
            }
            return quiet ? (Integer) code() : null;
        }
        if (journalAudit.seq() >= until && reached == null) {
            reached = now;
        }
        if (reached != null) {
            boolean settled = topicFollower.isCaughtUp() && (journalAudit.isComplete() || now - reached >= SETTLING);
            return settled ? (Integer) code() : null;
        }
        if (quiet) {
            err.println("auditor: the journal ends with decision " + journalAudit.seq() + ", before " + until);
            return BROKEN;
        }
        return null;
    }

    private int code() {
        return journalAudit.findings().hasNoViolations() || !auditorOptions.hasEnd() ? HOLDS : BROKEN;
    }

    private void picture(long now) {
        if (pictured != Long.MIN_VALUE && now - pictured < PICTURE_EVERY) {
            return;
        }
        pictured = now;
        if (topicFollower.isCaughtUp() && (counted == Long.MIN_VALUE || now - counted >= UNFINISHED_EVERY)) {
            counted = now;
            unfinished = journalAudit.unfinishedMachines(UNFINISHED_SHOWN);
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
                journalAudit.unfinishedMachines(UNFINISHED_SHOWN));
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

    /** From any thread: ends the run at the next step. */
    public void stop() {
        stopped = true;
        topicFollower.wakeUp();
    }
}
