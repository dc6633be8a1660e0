package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeResponse;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.managementwatcher.view.WatcherAnnotationKeys;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeIntent;
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
public final class StatusReporter {
    private static final long FIRST_PAUSE = 500;
    private static final long LONGEST_PAUSE = 60_000;

    /** A worker that is slow to take its guards away is given so long. */
    private static final long GUARDS_STAY = 120_000;

    /** The provider's controllers learn of what happened to an owner and to its machines one after the other. */
    private static final long OWNER_SETTLES = 2_000;

    /** An owner is looked at so long after what became different of its machines, with all that became so meanwhile. */
    private static final long OWNER_WAITS = 250;

    private final SiteObjectCache view;
    private final ReceivedStatusTable status;
    private final ObjectWritePlanner objectWritePlanner;
    private final ObjectWriter objectWriter;
    private final int atOnce;
    private final LongSupplier ticks;
    private final ObjectWriteListener listener;
    private final ObjectViewFactory objectViewFactory;
    private final OwnerEventBatcher ownerEventBatcher = new OwnerEventBatcher();
    private final Map<ObjectKey, Long> due = new LinkedHashMap<>();

    /** When to look again at machines of which nothing may become different meanwhile. What does is looked at at once. */
    private final Map<MachineKey, Long> later = new LinkedHashMap<>();

    private final Deque<ObjectWrite.EventWrite> tallied = new ArrayDeque<>();
    private final Map<ObjectKey, String> told = new HashMap<>();
    private final Map<ObjectKey, Integer> failures = new HashMap<>();
    private final Map<MachineKey, Long> leftOver = new HashMap<>();
    private final Set<ObjectKey> writing = new HashSet<>();
    private final ConcurrentLinkedQueue<CompletedWrite> written = new ConcurrentLinkedQueue<>();

    /** What came of a write. */
    private record CompletedWrite(ObjectWrite change, KubeResponse reply) {}

    /**
     * For one site.
     *
     * @param intents the rows that people's wishes came to
     * @param unreadable why nobody can read an object's row; null where that is not so
     * @param atOnce so many writes run at a time
     */
    public StatusReporter(
            SiteObjectCache view,
            ReceivedStatusTable status,
            SiteMode mode,
            Function<ObjectKey, @Nullable UpgradeIntent> intents,
            Function<ObjectKey, @Nullable String> unreadable,
            ObjectWriter objectWriter,
            int atOnce,
            ObjectViewFactory objectViewFactory,
            LongSupplier ticks,
            ObjectWriteListener listener) {
        this.view = view;
        this.status = status;
        this.objectWritePlanner =
                new ObjectWritePlanner(view, status, mode, intents, unreadable, objectWriter::canWriteCondition);
        this.objectWriter = objectWriter;
        this.atOnce = atOnce;
        this.objectViewFactory = objectViewFactory;
        this.ticks = ticks;
        this.listener = listener;
    }

    /** These, or what is told of them, became different. */
    public void markChanged(Collection<ObjectKey> keys) {
        keys.forEach(this::markChanged);
    }

    /** This, or what is told of it, became different. */
    public void markChanged(ObjectKey key) {
        markChanged(key, 0);
        OwnerView owner = key instanceof MachineKey machine ? objectWritePlanner.ownerOf(machine) : null;
        if (owner != null) {
            markChanged(owner.key(), OWNER_WAITS);
        }
    }

    private void markChanged(ObjectKey key, long wait) {
        if (!failures.containsKey(key)) {
            due.putIfAbsent(key, ticks.getAsLong() + wait);
        }
    }

    /** Begins the writes that are due, and takes in what came of others. */
    public void writeChanges() {
        for (CompletedWrite each = written.poll(); each != null; each = written.poll()) {
            take(each);
        }
        long now = ticks.getAsLong();
        for (MachineKey key : List.copyOf(later.keySet())) {
            if (later.getOrDefault(key, now) <= now) {
                later.remove(key);
                markChanged(key, 0);
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
            ObjectWrite objectWrite = change(key, now);
            if (objectWrite != null) {
                begin(objectWrite);
            } else {
                failures.remove(key);
            }
        }
        tallied.addAll(ownerEventBatcher.dueEvents(now));
        while (!tallied.isEmpty() && writing.size() < atOnce) {
            begin(tallied.removeFirst());
        }
    }

    private @Nullable ObjectWrite change(ObjectKey key, long now) {
        ObjectWrite objectWrite = objectWritePlanner.nextWrite(key);
        if (objectWrite instanceof AnnotationWrite annotationWrite) {
            OwnerView first = objectWritePlanner.ownerToWriteFirst(annotationWrite);
            if (first == null) {
                return annotationWrite;
            }
            due.put(key, now + OWNER_SETTLES);
            markChanged(first.key(), 0);
            return null;
        }
        if (!(objectWrite instanceof ObjectWrite.EventWrite || objectWrite instanceof ObjectWrite.JoinerReleaseWrite)) {
            told.remove(key);
        }
        if (objectWrite instanceof ObjectWrite.EventWrite eventWrite
                && eventWrite
                        .event()
                        .message()
                        .equals(told.put(key, eventWrite.event().message()))) {
            objectWrite = null;
        }
        return objectWrite == null && view.get(key) instanceof MachineView machine ? swept(machine, now) : objectWrite;
    }

    private @Nullable AnnotationWrite swept(MachineView machine, long now) {
        later.remove(machine.key());
        if (!StaleGuardCleanup.isStale(machine, status.machineStatus(machine.key()))) {
            leftOver.remove(machine.key());
            return null;
        }
        long since = leftOver.computeIfAbsent(machine.key(), first -> now);
        if (now - since >= GUARDS_STAY) {
            return StaleGuardCleanup.planRemoval(machine);
        }
        later.put(machine.key(), since + GUARDS_STAY);
        return null;
    }

    private void begin(ObjectWrite objectWrite) {
        writing.add(objectWrite.object());
        Thread.ofVirtual().name("amend").start(() -> {
            written.add(new CompletedWrite(objectWrite, objectWriter.writeObject(objectWrite)));
        });
    }

    private void take(CompletedWrite each) {
        ObjectKey key = each.change().object();
        writing.remove(key);
        if (each.change() instanceof ObjectWrite.EventWrite) {
            // One that is lost is not worth a second try, and one that was told before is refused.
            failures.remove(key);
        } else if (each.change() instanceof ObjectWrite.JoinerReleaseWrite joinerReleaseWrite
                && (each.reply() instanceof KubeResponse.SuccessResponse
                        || each.reply().isForbidden())) {
            // Where a role of before does not allow it, machines join as they did before.
            failures.remove(key);
            objectWritePlanner.recordWrite(joinerReleaseWrite);
            if (each.reply().isForbidden()) {
                listener.writeFailed(key, each.reply().problem());
            }
            markChanged(key, 0);
        } else if (each.reply() instanceof KubeResponse.SuccessResponse successResponse) {
            failures.remove(key);
            view.put(WatchedKind.kindOf(key).createView(objectViewFactory, successResponse.object()));
            made(each.change());
        } else {
            int times = failures.merge(key, 1, Integer::sum);
            due.put(key, ticks.getAsLong() + Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(times - 1, 10)));
            // One that is not there any more is not seen then either, and one that is served in another version is.
            if (!each.reply().isConflict() && !each.reply().isMissing()) {
                listener.writeFailed(key, each.reply().problem());
            }
        }
    }

    private void made(ObjectWrite objectWrite) {
        switch (objectWrite) {
            case AnnotationWrite annotationWrite -> {
                listener.annotationsWritten(annotationWrite.object(), annotationWrite.annotations());
                String release = annotationWrite.annotations().get(WatcherAnnotationKeys.RELEASE);
                OwnerView owner = annotationWrite.object() instanceof MachineKey machine
                        ? objectWritePlanner.ownerOf(machine)
                        : null;
                if (release != null && owner != null && annotationWrite.event() == null) {
                    ownerEventBatcher.addMachine(
                            owner, release, annotationWrite.object().name(), ticks.getAsLong());
                }
            }
            case ObjectWrite.ConditionWrite conditionWrite ->
                listener.conditionWritten(
                        conditionWrite.object(),
                        conditionWrite.condition() == null
                                ? ""
                                : conditionWrite.condition().reason());
            case ObjectWrite.EventWrite eventWrite -> {
                // Nothing came of it but an Event.
            }
            case ObjectWrite.JoinerReleaseWrite joinerReleaseWrite ->
                objectWritePlanner.recordWrite(joinerReleaseWrite);
        }
    }
}
