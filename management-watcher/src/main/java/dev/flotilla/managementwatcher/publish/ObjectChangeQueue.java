package dev.flotilla.managementwatcher.publish;

import dev.flotilla.managementwatcher.event.WatcherListener;
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

/**
 * Queue of watch events between the reflectors and the loop, which also knows since when a kind cannot be read. A
 * reflector waits while the queue is full.
 */
final class ObjectChangeQueue implements WatchEventHandler {
    private static final int MAX_EVENTS = 1_000;

    private final BlockingQueue<WatchEvent> events = new ArrayBlockingQueue<>(MAX_EVENTS);
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<WatchedKind, Long> failingSince = new EnumMap<>(WatchedKind.class);
    private final LongSupplier monotonicMillis;
    private final WatcherListener listener;

    ObjectChangeQueue(LongSupplier monotonicMillis, WatcherListener listener) {
        this.monotonicMillis = monotonicMillis;
        this.listener = listener;
    }

    @Override
    public void handleEvent(WatchEvent watchEvent) throws InterruptedException {
        events.put(watchEvent);
    }

    @Override
    public void kindInSync(WatchedKind watchedKind) {
        lock.lock();
        try {
            failingSince.remove(watchedKind);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void readFailed(WatchedKind watchedKind, String reason) {
        lock.lock();
        try {
            failingSince.putIfAbsent(watchedKind, monotonicMillis.getAsLong());
        } finally {
            lock.unlock();
        }
        listener.listFailed(watchedKind, reason);
    }

    @Override
    public void storeRestored(WatchedKind watchedKind, long known, long now) throws InterruptedException {
        listener.storeRestored(watchedKind, known, now);
        handleEvent(new WatchEvent.StoreRestored(watchedKind));
    }

    @Override
    public void kindForbidden(WatchedKind watchedKind, String reason) throws InterruptedException {
        kindInSync(watchedKind);
        listener.listFailed(watchedKind, reason);
        handleEvent(new WatchEvent.KindForbidden(watchedKind));
    }

    /** Whether a kind could not be read for longer than the limit. */
    boolean isReadFailing(Duration limit) {
        lock.lock();
        try {
            long since = monotonicMillis.getAsLong() - limit.toMillis();
            return failingSince.values().stream().anyMatch(each -> each < since);
        } finally {
            lock.unlock();
        }
    }

    /** Applies all waiting events to the cache; waits a little for the first. */
    void drainChanges(SiteObjectCache cache, long waitMillis) throws InterruptedException {
        WatchEvent next = events.poll(waitMillis, TimeUnit.MILLISECONDS);
        for (int i = 0; next != null && i < MAX_EVENTS; i++) {
            switch (next) {
                case WatchEvent.ObjectsPresent objectsPresent ->
                    objectsPresent.views().forEach(each -> cache.put(each, objectsPresent.listVersion()));
                case WatchEvent.StoreRestored back -> cache.resetVersions(back.kind());
                case WatchEvent.KindForbidden kindForbidden -> cache.markForbidden(kindForbidden.kind());
                case WatchEvent.ObjectDeleted objectDeleted -> cache.remove(objectDeleted.view());
                case WatchEvent.KindListed kindListed ->
                    cache.completeList(kindListed.kind(), kindListed.keys(), kindListed.version());
            }
            next = events.poll();
        }
    }
}
