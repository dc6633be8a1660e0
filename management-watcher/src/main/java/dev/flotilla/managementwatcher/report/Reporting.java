package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.Reply;
import dev.flotilla.managementwatcher.rows.Mode;
import dev.flotilla.managementwatcher.rows.Wish;
import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.Projection;
import dev.flotilla.managementwatcher.view.SiteView;
import dev.flotilla.managementwatcher.view.View;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.Intent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the objects to what the tables say, one write of an object at a time. What is to be written is worked out anew each
 * time from both as they are then, so that nothing has to be remembered. Used by one thread; the writes are made by others.
 */
public final class Reporting {
    private static final long FIRST_PAUSE = 500;
    private static final long LONGEST_PAUSE = 60_000;

    /** A worker that is slow to take its guards away is given so long. */
    private static final long GUARDS_STAY = 120_000;

    private final SiteView view;
    private final StatusBoard status;
    private final Mode mode;
    private final Function<ObjectKey, @Nullable Intent> intents;
    private final Hand hand;
    private final int atOnce;
    private final LongSupplier ticks;
    private final ReportListener listener;
    private final Projection projection;
    private final Map<ObjectKey, Long> due = new LinkedHashMap<>();
    private final Map<ObjectKey, Integer> failures = new HashMap<>();
    private final Map<MachineKey, Long> leftOver = new HashMap<>();
    private final Set<ObjectKey> writing = new HashSet<>();
    private final ConcurrentLinkedQueue<Written> written = new ConcurrentLinkedQueue<>();

    /** What came of a write. */
    private record Written(Amendment amendment, Reply reply) {}

    /**
     * For one site.
     *
     * @param intents the rows that people's wishes came to
     * @param atOnce so many writes run at a time
     */
    public Reporting(
            SiteView view,
            StatusBoard status,
            Mode mode,
            Function<ObjectKey, @Nullable Intent> intents,
            Hand hand,
            int atOnce,
            Projection projection,
            LongSupplier ticks,
            ReportListener listener) {
        this.view = view;
        this.status = status;
        this.mode = mode;
        this.intents = intents;
        this.hand = hand;
        this.atOnce = atOnce;
        this.projection = projection;
        this.ticks = ticks;
        this.listener = listener;
    }

    /** These, or what is told of them, became different. */
    public void touch(Collection<ObjectKey> keys) {
        keys.forEach(this::touch);
    }

    /** This, or what is told of it, became different. */
    public void touch(ObjectKey key) {
        if (!failures.containsKey(key)) {
            due.putIfAbsent(key, ticks.getAsLong());
        }
    }

    /** Begins the writes that are due, and takes in what came of others. */
    public void step() {
        for (Written each = written.poll(); each != null; each = written.poll()) {
            take(each);
        }
        long now = ticks.getAsLong();
        List<ObjectKey> ready = new ArrayList<>();
        for (Map.Entry<ObjectKey, Long> each : due.entrySet()) {
            if (each.getValue() <= now && !writing.contains(each.getKey())) {
                ready.add(each.getKey());
            }
        }
        for (ObjectKey key : ready) {
            if (writing.size() >= atOnce) {
                return;
            }
            due.remove(key);
            Amendment amendment = amendment(key, now);
            if (amendment != null) {
                begin(amendment);
            } else {
                failures.remove(key);
            }
        }
    }

    private @Nullable Amendment amendment(ObjectKey key, long now) {
        View there = view.get(key);
        if (there == null) {
            return null;
        }
        Wish wish = Wish.of(there, mode);
        if (there instanceof MachineView machine) {
            Told told = status.machine(machine.key());
            Amendment amendment = MachineReport.of(machine, told, wish, intents.apply(key));
            return amendment != null ? amendment : swept(machine, told, now);
        }
        return ObjectReport.of(there, status.object(key), wish, intents.apply(key));
    }

    private @Nullable Amendment swept(MachineView machine, @Nullable Told told, long now) {
        if (!GuardSweep.isLeftOver(machine, told)) {
            leftOver.remove(machine.key());
            return null;
        }
        long since = leftOver.computeIfAbsent(machine.key(), first -> now);
        if (now - since >= GUARDS_STAY) {
            return GuardSweep.of(machine);
        }
        due.put(machine.key(), since + GUARDS_STAY);
        return null;
    }

    private void begin(Amendment amendment) {
        writing.add(amendment.object());
        Thread.ofVirtual().name("amend").start(() -> {
            Reply reply;
            try {
                reply = hand.amend(amendment);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                reply = new Reply.Silent("interrupted");
            }
            written.add(new Written(amendment, reply));
        });
    }

    private void take(Written each) {
        ObjectKey key = each.amendment().object();
        writing.remove(key);
        if (each.reply() instanceof Reply.Done done) {
            failures.remove(key);
            view.see(Kind.of(key).project(projection, done.object()));
            listener.amended(key, each.amendment().annotations());
        } else if (each.reply().isMissing()) {
            failures.remove(key);
        } else {
            int times = failures.merge(key, 1, Integer::sum);
            due.put(key, ticks.getAsLong() + Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(times - 1, 10)));
            if (!each.reply().isConflict()) {
                listener.unamended(key, each.reply().problem());
            }
        }
    }
}
