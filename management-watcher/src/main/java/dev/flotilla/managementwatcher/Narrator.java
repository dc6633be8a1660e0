package dev.flotilla.managementwatcher;

import dev.flotilla.managementwatcher.mode.FoundMode;
import dev.flotilla.managementwatcher.publish.WatcherListener;
import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.schemas.id.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells logs, metrics and probes what the loop does. */
final class Narrator implements WatcherListener {
    private static final Logger LOG = LoggerFactory.getLogger("flotilla");

    private final ManagementWatcherMetrics metrics;
    private final BooleanSupplier lockedOut;
    private final Runnable end;
    private volatile boolean writing;
    private volatile boolean broken;

    /**
     * Tells of one loop.
     *
     * @param lockedOut whether the management cluster has not taken the credentials for long
     * @param end what becomes of the process when the loop has ended by a bug
     */
    Narrator(ManagementWatcherMetrics metrics, BooleanSupplier lockedOut, Runnable end) {
        this.lockedOut = lockedOut;
        this.metrics = metrics;
        this.end = end;
    }

    HealthStatus alive() {
        return broken
                ? new HealthStatus(false, "broken", List.of(new HealthStatus.ComponentHealth("watcher", false, "ended by a bug")))
                : HealthStatus.healthy("alive");
    }

    /** One that does not write stands by, or does not see everything. */
    HealthStatus ready() {
        if (lockedOut.getAsBoolean()) {
            return HealthStatus.LOCKED_OUT;
        }
        return HealthStatus.healthy(writing ? "watching" : "standby");
    }

    @Override
    public void published(int records) {
        metrics.published(records);
    }

    @Override
    public void held(int machines) {
        metrics.held(machines);
        if (machines > 0) {
            LOG.atError()
                    .addKeyValue("missing", machines)
                    .log("machines vanished at once: their rows stay until an order accepts the removal");
        } else {
            LOG.atInfo().log("no machines are held back any more");
        }
    }

    @Override
    public void writes(boolean now) {
        if (now != writing) {
            LOG.atInfo().log(now ? "watches the site" : "does not watch the site just now");
        }
        writing = now;
        metrics.writes(now);
    }

    @Override
    public void unseen(Kind kind, String why) {
        metrics.unseen();
        LOG.atWarn().addKeyValue("kind", kind.plural()).log("cannot see, keeps what it knows: {}", why);
    }

    @Override
    public void setBack(Kind kind, long known, long now) {
        metrics.setBack();
        LOG.atError()
                .addKeyValue("kind", kind.plural())
                .addKeyValue("known", known)
                .addKeyValue("now", now)
                .log("resource versions went back, as after a restore of etcd: everything is listed and compared anew."
                        + " See docs/runbook.md#flotillamanagementclusterrestored");
    }

    @Override
    public void amended(ObjectKey object, Map<String, @Nullable String> annotations) {
        metrics.amended();
        LOG.atInfo()
                .addKeyValue("object", object)
                .addKeyValue("annotations", annotations)
                .log("amends");
    }

    @Override
    public void conditioned(ObjectKey object, String reason) {
        metrics.conditioned();
        LOG.atInfo().addKeyValue("object", object).addKeyValue("reason", reason).log("writes its condition");
    }

    @Override
    public void unamended(ObjectKey object, String why) {
        metrics.unamended();
        LOG.atWarn().addKeyValue("object", object).log("could not be amended, is tried again: {}", why);
    }

    @Override
    public void mode(FoundMode found) {
        metrics.mode(found);
        LOG.atInfo().addKeyValue("mode", found.mode().label()).log("the site's mode, since {}", found.why());
        if (found.doubt() != null) {
            LOG.atError().addKeyValue("mode", found.mode().label()).log(found.doubt());
        }
    }

    @Override
    public void modeUnseen(String why) {
        metrics.unseen();
        LOG.atWarn()
                .log(
                        "cannot see who else acts here, keeps what it knows; the role is in deploy/management-watcher, or set"
                                + " kubernetes.mode: {}",
                        why);
    }

    @Override
    public void kafkaFailed(String reason, String why) {
        metrics.kafkaFailed(reason);
        LOG.atWarn().addKeyValue("reason", reason).log("writes nothing: {}", why);
    }

    @Override
    public void otherCluster(String expected, String found) {
        LOG.atError()
                .addKeyValue("expected", expected)
                .addKeyValue("found", found)
                .log(
                        "this is another management cluster than the site's: nothing is written. If the site has moved, write a"
                                + " tombstone for key site of its inventory");
    }

    @Override
    public void broke(Throwable bug) {
        LOG.atError().setCause(bug).log("a bug ended the watcher, and now the process: it is to be started again");
        broken = true;
        end.run();
    }
}
