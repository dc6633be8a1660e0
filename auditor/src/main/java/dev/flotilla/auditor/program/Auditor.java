package dev.flotilla.auditor.program;

import dev.flotilla.auditor.check.Audit;
import dev.flotilla.auditor.check.Violation;
import dev.flotilla.auditor.follow.ClientSettings;
import dev.flotilla.auditor.follow.Follower;
import dev.flotilla.auditor.follow.FreezeOrder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** The running program: reads until it is told to stop, or until it has seen what it was to look at. */
public final class Auditor {
    public static final int HOLDS = 0;
    public static final int BROKEN = 1;
    public static final int NO_BROKER = 3;

    private static final long PICTURE_EVERY = 1000;
    private static final long UNFINISHED_EVERY = 10_000;
    private static final int UNFINISHED_SHOWN = 100;
    /** After the last decision that is asked for, its rows and words may still be on their way. */
    private static final long SETTLING = 8000;

    private final Options options;
    private final PrintStream out;
    private final PrintStream err;
    private final Audit audit = new Audit(this::found);
    private final @Nullable FreezeOrder freeze;
    private final Follower follower;
    private volatile boolean stopped;
    private volatile Standing standing = Standing.of(audit, 0, false, List.of(), List.of());
    private List<String> unfinished = List.of();
    private long counted = Long.MIN_VALUE;
    private long pictured = Long.MIN_VALUE;
    private long lastRecord;
    private @Nullable Long reached;

    public Auditor(Options options, ClientSettings settings, PrintStream out, PrintStream err) {
        this.options = options;
        this.out = out;
        this.err = err;
        this.freeze = options.freeze() ? new FreezeOrder(settings) : null;
        this.follower = new Follower(settings, audit);
    }

    private void found(Violation violation) {
        out.println(violation);
        if (freeze != null && audit.isLive() && !audit.isFrozenByOrder()) {
            String said = freeze.write(violation);
            if (!said.isEmpty()) {
                out.println(said);
            }
        }
    }

    /** Runs to its end; returns the exit code. */
    public int run() {
        try (follower) {
            follower.begin(options.fromChapter(), options.patience());
            try (Pages pages = new Pages(options.door(), () -> standing)) {
                out.println("auditor ready at " + pages.url() + ", following " + options.bootstrap());
                return follow();
            }
        } catch (WakeupException e) {
            return end(code());
        } catch (KafkaException e) {
            err.println("auditor: no broker at " + options.bootstrap() + ": " + e.getMessage());
            return NO_BROKER;
        } catch (IOException e) {
            err.println("auditor: cannot listen on " + options.door().host() + ":"
                    + options.door().port() + ": " + e.getMessage());
            return BROKEN;
        }
    }

    private int follow() {
        lastRecord = now();
        while (!stopped) {
            long now = now();
            if (follower.step() > 0) {
                lastRecord = now;
            }
            picture(now);
            Integer code = options.ends() ? verdict(now) : null;
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
        boolean quiet =
                follower.isCaughtUp() && now - lastRecord >= options.patience().toMillis();
        Long until = options.untilSeq();
        if (until == null) {
            if (quiet) {
                audit.runIsOver();
            }
            return quiet ? (Integer) code() : null;
        }
        if (audit.seq() >= until && reached == null) {
            reached = now;
        }
        if (reached != null) {
            boolean settled = follower.isCaughtUp() && (audit.isSettled() || now - reached >= SETTLING);
            return settled ? (Integer) code() : null;
        }
        if (quiet) {
            err.println("auditor: the journal ends with decision " + audit.seq() + ", before " + until);
            return BROKEN;
        }
        return null;
    }

    private int code() {
        return audit.findings().allHolds() || !options.ends() ? HOLDS : BROKEN;
    }

    private void picture(long now) {
        if (pictured != Long.MIN_VALUE && now - pictured < PICTURE_EVERY) {
            return;
        }
        pictured = now;
        if (follower.isCaughtUp() && (counted == Long.MIN_VALUE || now - counted >= UNFINISHED_EVERY)) {
            counted = now;
            unfinished = audit.unfinished(UNFINISHED_SHOWN);
        }
        standing = Standing.of(audit, follower.lag(), follower.isCaughtUp(), follower.heldBack(), unfinished);
    }

    private int end(int code) {
        standing =
                Standing.of(audit, 0, follower.isCaughtUp(), follower.heldBack(), audit.unfinished(UNFINISHED_SHOWN));
        if (options.json() != null) {
            try {
                Files.writeString(options.json(), standing.json() + "\n");
            } catch (IOException e) {
                err.println("auditor: cannot write " + options.json() + ": " + e.getMessage());
                return BROKEN;
            }
        }
        out.println("auditor: seq " + standing.seq() + ", " + standing.decisions() + " decisions checked, "
                + standing.broken() + " violations, "
                + standing.unverified().values().stream()
                        .mapToLong(Long::longValue)
                        .sum()
                + " unverified, at most " + standing.maxInFlight() + " in flight");
        return code;
    }

    /** From any thread: ends the run at the next step. */
    public void stop() {
        stopped = true;
        follower.wake();
    }
}
