package dev.flotilla.managementwatcher.report;

import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.managementwatcher.event.ObjectWriteKind;
import dev.flotilla.managementwatcher.event.ShownAttempt;
import dev.flotilla.managementwatcher.event.WatcherListener;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.runtime.retry.JitteredBackoff;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.trace.AttemptTrace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the objects what the tables say, one write of an object at a time. Each write is planned from the current
 * object and rows, so that no pending writes are remembered. Used by one thread; the writes run on virtual threads.
 */
public final class StatusReporter {
    private static final JitteredBackoff RETRY_BACKOFF =
            JitteredBackoff.doubling(Duration.ofMillis(500), Duration.ofMinutes(1));

    /**
     * Pause between the write to an owner and that to its machines, because the provider's controllers receive them
     * separately.
     */
    private static final long OWNER_WRITE_DELAY = 2_000;

    /** An owner is written this time after a change of its machines, together with all changes until then. */
    private static final long OWNER_BATCH_DELAY = 250;

    private final SiteObjectCache cache;
    private final ReceivedStatusTable status;
    private final SiteMode mode;
    private final PublishedObjectRows publishedRows;
    private final ObjectWritePlanner objectWritePlanner;
    private final UpgradeTaskTable upgradeTaskTable;
    private final UpgradeTaskReporter upgradeTaskReporter;
    private final ObjectWriter objectWriter;
    private final int maxConcurrentWrites;
    private final ProcessClock clock;
    private final WatcherListener listener;
    private final ObjectViewFactory objectViewFactory;
    private final OwnerEventBatcher ownerEventBatcher = new OwnerEventBatcher();
    private final Map<ObjectKey, Long> dueAt = new LinkedHashMap<>();

    /** When to plan the cleanup of machines that may not change until then. A change is processed at once. */
    private final Map<MachineKey, Long> cleanupCheckAt = new LinkedHashMap<>();

    private final Deque<ObjectWrite.EventWrite> ownerEvents = new ArrayDeque<>();
    private final Map<ObjectKey, String> lastEventMessages = new HashMap<>();
    private final Map<ObjectKey, Integer> failures = new HashMap<>();
    private final Map<MachineKey, Long> staleSince = new HashMap<>();
    private final Map<MachineKey, Long> heldSince = new HashMap<>();
    private final Set<ObjectKey> writing = new HashSet<>();
    private final ConcurrentLinkedQueue<CompletedWrite> completedWrites = new ConcurrentLinkedQueue<>();

    /**
     * A completed write and its response.
     *
     * @param trace trace of the attempt that the write shows; null for none
     */
    private record CompletedWrite(
            ObjectWrite change,
            KubeResponse reply,
            @Nullable AttemptTrace trace,
            Instant startedAt,
            Instant endedAt) {}

    /**
     * @param status the status table as it was read; from then on its records are applied here
     * @param maxConcurrentWrites most writes that run at a time
     */
    public StatusReporter(
            SiteId site,
            SiteObjectCache cache,
            ReceivedStatusTable status,
            SiteMode mode,
            PublishedObjectRows publishedRows,
            ObjectWriter objectWriter,
            int maxConcurrentWrites,
            ProcessClock clock,
            WatcherListener listener) {
        this.cache = cache;
        this.status = status;
        this.mode = mode;
        this.publishedRows = publishedRows;
        WaitingEventPlanner waitingEventPlanner = new WaitingEventPlanner(cache, status, publishedRows);
        this.upgradeTaskTable =
                new UpgradeTaskTable(site, cache, mode, status, publishedRows, waitingEventPlanner::findHold);
        this.objectWritePlanner = new ObjectWritePlanner(
                cache, status, mode, publishedRows, objectWriter::canWriteCondition, upgradeTaskTable::goalOf);
        this.objectWriter = objectWriter;
        this.maxConcurrentWrites = maxConcurrentWrites;
        this.objectViewFactory = new ObjectViewFactory(site);
        this.clock = clock;
        this.listener = listener;
        this.upgradeTaskReporter = new UpgradeTaskReporter(
                cache, upgradeTaskTable, objectWriter.taskWriter(), objectViewFactory, maxConcurrentWrites, listener);
    }

    /** Applies a record of the status table, and marks the objects that it changes. */
    public void applyRecord(ConsumedRecord consumedRecord) {
        String waitReason = status.siteWaitReason();
        ObjectKey object = status.applyRecord(consumedRecord);
        if (object != null) {
            markChanged(object);
            return;
        }
        cache.setAnnotationRules(mode, status.annotationRules());
        if (!Objects.equals(waitReason, status.siteWaitReason())) {
            markChanged(publishedRows.intentKeys());
        }
    }

    /** Marks objects whose view or status changed. */
    public void markChanged(Collection<ObjectKey> keys) {
        keys.forEach(this::markChanged);
    }

    /** Marks an object whose view or status changed. */
    private void markChanged(ObjectKey key) {
        markChanged(key, 0);
        upgradeTaskTable.markChanged(key);
        OwnerView owner = key instanceof MachineKey machine ? objectWritePlanner.ownerOf(machine) : null;
        if (owner != null) {
            markChanged(owner.key(), OWNER_BATCH_DELAY);
        }
    }

    private void markChanged(ObjectKey key, long wait) {
        if (!failures.containsKey(key)) {
            dueAt.putIfAbsent(key, clock.monotonicMillis() + wait);
        }
    }

    /** Handles completed writes and starts those that are due. */
    public void writeChanges() {
        for (CompletedWrite each = completedWrites.poll(); each != null; each = completedWrites.poll()) {
            handleCompletedWrite(each);
        }
        long now = clock.monotonicMillis();
        upgradeTaskReporter.writeChanges(clock.wallMillis(), now).forEach(machine -> markChanged(machine, 0));
        for (MachineKey key : List.copyOf(cleanupCheckAt.keySet())) {
            if (cleanupCheckAt.getOrDefault(key, now) <= now) {
                cleanupCheckAt.remove(key);
                markChanged(key, 0);
            }
        }
        List<ObjectKey> ready = new ArrayList<>();
        for (Map.Entry<ObjectKey, Long> each : dueAt.entrySet()) {
            if (each.getValue() <= now && !writing.contains(each.getKey())) {
                ready.add(each.getKey());
            }
        }
        for (ObjectKey key : ready) {
            if (writing.size() >= maxConcurrentWrites) {
                return;
            }
            dueAt.remove(key);
            ObjectWrite objectWrite = planWrite(key, now);
            if (objectWrite != null) {
                startWrite(objectWrite);
            } else {
                failures.remove(key);
            }
        }
        ownerEvents.addAll(ownerEventBatcher.dueEvents(now));
        while (!ownerEvents.isEmpty() && writing.size() < maxConcurrentWrites) {
            startWrite(ownerEvents.removeFirst());
        }
    }

    private @Nullable ObjectWrite planWrite(ObjectKey key, long now) {
        ObjectWrite objectWrite = objectWritePlanner.nextWrite(key);
        if (objectWrite instanceof AnnotationWrite annotationWrite) {
            OwnerView owner = objectWritePlanner.ownerToWriteFirst(annotationWrite);
            if (owner == null) {
                return annotationWrite;
            }
            dueAt.put(key, now + OWNER_WRITE_DELAY);
            markChanged(owner.key(), 0);
            return null;
        }
        if (!(objectWrite instanceof ObjectWrite.EventWrite || objectWrite instanceof ObjectWrite.JoinerReleaseWrite)) {
            lastEventMessages.remove(key);
        }
        if (objectWrite instanceof ObjectWrite.EventWrite eventWrite
                && eventWrite
                        .event()
                        .message()
                        .equals(lastEventMessages.put(key, eventWrite.event().message()))) {
            objectWrite = null;
        }
        if (objectWrite != null || !(key instanceof MachineKey)) {
            return objectWrite;
        }
        if (cache.get(key) instanceof MachineView machine) {
            return planGuardCleanup(machine, now);
        }
        staleSince.remove(key);
        heldSince.remove(key);
        return null;
    }

    private @Nullable AnnotationWrite planGuardCleanup(MachineView machine, long now) {
        cleanupCheckAt.remove(machine.key());
        if (!StaleGuardCleanup.isStale(machine, status.machineStatus(machine.key()))) {
            staleSince.remove(machine.key());
            return planRelease(machine, now);
        }
        long since = staleSince.computeIfAbsent(machine.key(), owner -> now);
        long delay = StaleGuardCleanup.delay(machine, status.machineStatus(machine.key()));
        if (now - since >= delay) {
            return StaleGuardCleanup.planRemoval(machine);
        }
        cleanupCheckAt.put(machine.key(), since + delay);
        return null;
    }

    /** An attempt that goes on for long does not keep a machine from being deleted. */
    private @Nullable AnnotationWrite planRelease(MachineView machine, long now) {
        if (!StaleGuardCleanup.isHeld(machine)) {
            heldSince.remove(machine.key());
            return null;
        }
        long until = heldSince.computeIfAbsent(machine.key(), absent -> now) + StaleGuardCleanup.MAX_HOLD;
        if (now >= until) {
            return StaleGuardCleanup.planRelease(machine);
        }
        cleanupCheckAt.put(machine.key(), until);
        return null;
    }

    private void startWrite(ObjectWrite objectWrite) {
        writing.add(objectWrite.object());
        ReceivedMachineStatus shown =
                objectWrite.object() instanceof MachineKey machine ? status.machineStatus(machine) : null;
        AttemptTrace trace = shown == null ? null : shown.shownTrace();
        Instant startedAt = Instant.ofEpochMilli(clock.wallMillis());
        Thread.ofVirtual().name("write-status").start(() -> {
            KubeResponse reply = objectWriter.writeObject(objectWrite);
            completedWrites.add(
                    new CompletedWrite(objectWrite, reply, trace, startedAt, Instant.ofEpochMilli(clock.wallMillis())));
        });
    }

    private void handleCompletedWrite(CompletedWrite each) {
        ObjectKey key = each.change().object();
        writing.remove(key);
        if (each.change() instanceof ObjectWrite.EventWrite) {
            // An Event is not retried, and one that exists already is rejected.
            failures.remove(key);
        } else if (each.change() instanceof ObjectWrite.JoinerReleaseWrite joinerReleaseWrite
                && (each.reply() instanceof KubeResponse.SuccessResponse
                        || each.reply().isForbidden())) {
            // With an earlier version's role the write is forbidden, and machines join without it.
            failures.remove(key);
            KubeObject configMap =
                    each.reply() instanceof KubeResponse.SuccessResponse written ? written.object() : null;
            objectWritePlanner.recordWrite(joinerReleaseWrite, configMap).forEach(owner -> markChanged(owner, 0));
            if (each.reply().isForbidden()) {
                listener.writeFailed(kindOf(each.change()), key, each.reply().problem());
            } else {
                listener.defaultReleaseWritten(joinerReleaseWrite.object(), joinerReleaseWrite.release());
            }
            markChanged(key, 0);
        } else if (each.reply() instanceof KubeResponse.SuccessResponse successResponse) {
            failures.remove(key);
            // An object that was deleted before this response arrived must not come back.
            if (cache.get(key) != null) {
                cache.put(WatchedKind.kindOf(key).createView(objectViewFactory, successResponse.object()));
            }
            recordWrite(each.change());
            reportTrace(each);
        } else {
            int times = failures.merge(key, 1, Integer::sum);
            dueAt.put(key, clock.monotonicMillis() + RETRY_BACKOFF.delayMillis(times));
            // A conflict or a missing object is no failure: the object changed, or its kind is served in another
            // version.
            if (!each.reply().isConflict() && !each.reply().isMissing()) {
                listener.writeFailed(kindOf(each.change()), key, each.reply().problem());
            }
        }
    }

    private void reportTrace(CompletedWrite each) {
        AttemptTrace trace = each.trace();
        if (trace != null && each.change().object() instanceof MachineKey machine) {
            listener.attemptShown(
                    new ShownAttempt(machine, trace, kindOf(each.change()), each.startedAt(), each.endedAt()));
        }
    }

    private static ObjectWriteKind kindOf(ObjectWrite objectWrite) {
        return switch (objectWrite) {
            case AnnotationWrite annotationWrite -> ObjectWriteKind.ANNOTATIONS;
            case ObjectWrite.ConditionWrite conditionWrite -> ObjectWriteKind.CONDITION;
            case ObjectWrite.TaskConditionWrite taskConditionWrite -> ObjectWriteKind.CONDITION;
            case ObjectWrite.JoinerReleaseWrite joinerReleaseWrite -> ObjectWriteKind.DEFAULT_RELEASE;
            case ObjectWrite.EventWrite eventWrite -> throw new IllegalArgumentException("an Event is not retried");
        };
    }

    private void recordWrite(ObjectWrite objectWrite) {
        switch (objectWrite) {
            case AnnotationWrite annotationWrite -> {
                listener.annotationsWritten(annotationWrite.object(), annotationWrite.annotations());
                String release = annotationWrite.annotations().get(AnnotationKeys.RELEASE);
                OwnerView owner = annotationWrite.object() instanceof MachineKey machine
                        ? objectWritePlanner.ownerOf(machine)
                        : null;
                if (release != null && owner != null && annotationWrite.event() == null) {
                    ownerEventBatcher.addMachine(
                            owner, release, annotationWrite.object().name(), clock.monotonicMillis());
                }
            }
            case ObjectWrite.ConditionWrite conditionWrite ->
                listener.conditionWritten(
                        conditionWrite.object(),
                        conditionWrite.condition() == null
                                ? ""
                                : conditionWrite.condition().reason());
            case ObjectWrite.TaskConditionWrite taskConditionWrite ->
                listener.conditionWritten(
                        taskConditionWrite.object(),
                        taskConditionWrite.condition() == null
                                ? ""
                                : taskConditionWrite.condition().reason());
            case ObjectWrite.EventWrite eventWrite -> {
                // Only an Event was written.
            }
            case ObjectWrite.JoinerReleaseWrite joinerReleaseWrite ->
                throw new IllegalArgumentException("a default release is recorded with its response");
        }
    }
}
