package dev.flotilla.managementwatcher.publish;

import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.managementwatcher.watch.WatchEvent;
import dev.flotilla.managementwatcher.watch.WatchEventHandler;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** What was seen and not yet looked at, and since when something cannot be seen. Whoever sees too much waits. */
final class ObjectChangeQueue implements WatchEventHandler {
    private static final int MOST = 1_000;

    private final BlockingQueue<WatchEvent> waiting = new ArrayBlockingQueue<>(MOST);
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<WatchedKind, Long> blind = new EnumMap<>(WatchedKind.class);
    private final LongSupplier ticks;
    private final WatcherLoopListener listener;

    ObjectChangeQueue(LongSupplier ticks, WatcherLoopListener listener) {
        this.ticks = ticks;
        this.listener = listener;
    }

    @Override
    public void handleEvent(WatchEvent watchEvent) throws InterruptedException {
        waiting.put(watchEvent);
    }

    @Override
    public void kindInSync(WatchedKind watchedKind) {
        lock.lock();
        try {
            blind.remove(watchedKind);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void readFailed(WatchedKind watchedKind, String why) {
        lock.lock();
        try {
            blind.putIfAbsent(watchedKind, ticks.getAsLong());
        } finally {
            lock.unlock();
        }
        listener.listFailed(watchedKind, why);
    }

    @Override
    public void storeRestored(WatchedKind watchedKind, long known, long now) throws InterruptedException {
        listener.storeRestored(watchedKind, known, now);
        handleEvent(new WatchEvent.StoreRestored(watchedKind));
    }

    @Override
    public void kindForbidden(WatchedKind watchedKind, String why) throws InterruptedException {
        kindInSync(watchedKind);
        listener.listFailed(watchedKind, why);
        handleEvent(new WatchEvent.KindForbidden(watchedKind));
    }

    /** Whether something was not seen for so long. */
    boolean isReadFailing(Duration patience) {
        lock.lock();
        try {
            long since = ticks.getAsLong() - patience.toMillis();
            return blind.values().stream().anyMatch(each -> each < since);
        } finally {
            lock.unlock();
        }
    }

    /** Hands everything that waits to a view; waits for the first a little. */
    void drainChanges(SiteObjectCache view, long waitMillis) throws InterruptedException {
        WatchEvent next = waiting.poll(waitMillis, TimeUnit.MILLISECONDS);
        for (int i = 0; next != null && i < MOST; i++) {
            switch (next) {
                case WatchEvent.ObjectsPresent objectsPresent ->
                    objectsPresent.views().forEach(each -> view.put(each, objectsPresent.listVersion()));
                case WatchEvent.StoreRestored back -> view.resetVersions(back.kind());
                case WatchEvent.KindForbidden kindForbidden -> view.markForbidden(kindForbidden.kind());
                case WatchEvent.ObjectDeleted objectDeleted ->
                    view.remove(objectDeleted.key(), objectDeleted.version());
                case WatchEvent.KindListed kindListed ->
                    view.completeList(kindListed.kind(), kindListed.keys(), kindListed.version());
            }
            next = waiting.poll();
        }
    }
}
