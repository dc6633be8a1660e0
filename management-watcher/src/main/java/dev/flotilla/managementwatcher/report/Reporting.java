package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeResponse;
import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.Projection;
import dev.flotilla.managementwatcher.view.SiteView;
import dev.flotilla.managementwatcher.view.Wording;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.SiteMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
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

    /** The provider's controllers learn of what happened to an owner and to its machines one after the other. */
    private static final long OWNER_SETTLES = 2_000;

    /** An owner is looked at so long after what became different of its machines, with all that became so meanwhile. */
    private static final long OWNER_WAITS = 250;

    private final SiteView view;
    private final StatusBoard status;
    private final Reports reports;
    private final Hand hand;
    private final int atOnce;
    private final LongSupplier ticks;
    private final ReportListener listener;
    private final Projection projection;
    private final Tally tally = new Tally();
    private final Map<ObjectKey, Long> due = new LinkedHashMap<>();

    /** When to look again at machines of which nothing may become different meanwhile. What does is looked at at once. */
    private final Map<MachineKey, Long> later = new LinkedHashMap<>();

    private final Deque<Change.Notice> tallied = new ArrayDeque<>();
    private final Map<ObjectKey, String> told = new HashMap<>();
    private final Map<ObjectKey, Integer> failures = new HashMap<>();
    private final Map<MachineKey, Long> leftOver = new HashMap<>();
    private final Set<ObjectKey> writing = new HashSet<>();
    private final ConcurrentLinkedQueue<Written> written = new ConcurrentLinkedQueue<>();

    /** What came of a write. */
    private record Written(Change change, KubeResponse reply) {}

    /**
     * For one site.
     *
     * @param intents the rows that people's wishes came to
     * @param unreadable why nobody can read an object's row; null where that is not so
     * @param atOnce so many writes run at a time
     */
    public Reporting(
            SiteView view,
            StatusBoard status,
            SiteMode mode,
            Function<ObjectKey, @Nullable UpgradeIntent> intents,
            Function<ObjectKey, @Nullable String> unreadable,
            Hand hand,
            int atOnce,
            Projection projection,
            LongSupplier ticks,
            ReportListener listener) {
        this.view = view;
        this.status = status;
        this.reports = new Reports(view, status, mode, intents, unreadable, hand::hasConditions);
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
        touch(key, 0);
        OwnerView owner = key instanceof MachineKey machine ? reports.ownerOf(machine) : null;
        if (owner != null) {
            touch(owner.key(), OWNER_WAITS);
        }
    }

    private void touch(ObjectKey key, long wait) {
        if (!failures.containsKey(key)) {
            due.putIfAbsent(key, ticks.getAsLong() + wait);
        }
    }

    /** Begins the writes that are due, and takes in what came of others. */
    public void step() {
        for (Written each = written.poll(); each != null; each = written.poll()) {
            take(each);
        }
        long now = ticks.getAsLong();
        for (MachineKey key : List.copyOf(later.keySet())) {
            if (later.getOrDefault(key, now) <= now) {
                later.remove(key);
                touch(key, 0);
            }
        }
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
            Change change = change(key, now);
            if (change != null) {
                begin(change);
            } else {
                failures.remove(key);
            }
        }
        tallied.addAll(tally.due(now));
        while (!tallied.isEmpty() && writing.size() < atOnce) {
            begin(tallied.removeFirst());
        }
    }

    private @Nullable Change change(ObjectKey key, long now) {
        Change change = reports.of(key);
        if (change instanceof Amendment amendment) {
            OwnerView first = reports.before(amendment);
            if (first == null) {
                return amendment;
            }
            due.put(key, now + OWNER_SETTLES);
            touch(first.key(), 0);
            return null;
        }
        if (!(change instanceof Change.Notice || change instanceof Change.Joining)) {
            told.remove(key);
        }
        if (change instanceof Change.Notice notice
                && notice.happened()
                        .text()
                        .equals(told.put(key, notice.happened().text()))) {
            change = null;
        }
        return change == null && view.get(key) instanceof MachineView machine ? swept(machine, now) : change;
    }

    private @Nullable Amendment swept(MachineView machine, long now) {
        later.remove(machine.key());
        if (!GuardSweep.isLeftOver(machine, status.machine(machine.key()))) {
            leftOver.remove(machine.key());
            return null;
        }
        long since = leftOver.computeIfAbsent(machine.key(), first -> now);
        if (now - since >= GUARDS_STAY) {
            return GuardSweep.of(machine);
        }
        later.put(machine.key(), since + GUARDS_STAY);
        return null;
    }

    private void begin(Change change) {
        writing.add(change.object());
        Thread.ofVirtual().name("amend").start(() -> {
            written.add(new Written(change, hand.make(change)));
        });
    }

    private void take(Written each) {
        ObjectKey key = each.change().object();
        writing.remove(key);
        if (each.change() instanceof Change.Notice) {
            // One that is lost is not worth a second try, and one that was told before is refused.
            failures.remove(key);
        } else if (each.change() instanceof Change.Joining joining
                && (each.reply() instanceof KubeResponse.SuccessResponse || each.reply().isForbidden())) {
            // Where a role of before does not allow it, machines join as they did before.
            failures.remove(key);
            reports.wrote(joining);
            if (each.reply().isForbidden()) {
                listener.unamended(key, each.reply().problem());
            }
            touch(key, 0);
        } else if (each.reply() instanceof KubeResponse.SuccessResponse successResponse) {
            failures.remove(key);
            view.see(Kind.of(key).project(projection, successResponse.object()));
            made(each.change());
        } else {
            int times = failures.merge(key, 1, Integer::sum);
            due.put(key, ticks.getAsLong() + Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(times - 1, 10)));
            // One that is not there any more is not seen then either, and one that is served in another version is.
            if (!each.reply().isConflict() && !each.reply().isMissing()) {
                listener.unamended(key, each.reply().problem());
            }
        }
    }

    private void made(Change change) {
        switch (change) {
            case Amendment amendment -> {
                listener.amended(amendment.object(), amendment.annotations());
                String release = amendment.annotations().get(Wording.RELEASE);
                OwnerView owner = amendment.object() instanceof MachineKey machine ? reports.ownerOf(machine) : null;
                if (release != null && owner != null && amendment.happened() == null) {
                    tally.add(owner, release, amendment.object().name(), ticks.getAsLong());
                }
            }
            case Change.Conditioned conditioned ->
                listener.conditioned(
                        conditioned.object(),
                        conditioned.condition() == null
                                ? ""
                                : conditioned.condition().reason());
            case Change.Notice notice -> {
                // Nothing came of it but an Event.
            }
            case Change.Joining joining -> reports.wrote(joining);
        }
    }
}
