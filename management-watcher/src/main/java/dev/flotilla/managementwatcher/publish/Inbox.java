package dev.flotilla.managementwatcher.publish;

import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.managementwatcher.view.SiteView;
import dev.flotilla.managementwatcher.watch.Seen;
import dev.flotilla.managementwatcher.watch.SightTaker;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** What was seen and not yet looked at, and since when something cannot be seen. Whoever sees too much waits. */
final class Inbox implements SightTaker {
    private static final int MOST = 1_000;

    private final BlockingQueue<Seen> waiting = new ArrayBlockingQueue<>(MOST);
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Kind, Long> blind = new EnumMap<>(Kind.class);
    private final LongSupplier ticks;
    private final WatcherListener listener;

    Inbox(LongSupplier ticks, WatcherListener listener) {
        this.ticks = ticks;
        this.listener = listener;
    }

    @Override
    public void take(Seen seen) throws InterruptedException {
        waiting.put(seen);
    }

    @Override
    public void fine(Kind kind) {
        lock.lock();
        try {
            blind.remove(kind);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void trouble(Kind kind, String why) {
        lock.lock();
        try {
            blind.putIfAbsent(kind, ticks.getAsLong());
        } finally {
            lock.unlock();
        }
        listener.unseen(kind, why);
    }

    @Override
    public void setBack(Kind kind, long known, long now) throws InterruptedException {
        listener.setBack(kind, known, now);
        take(new Seen.SetBack(kind));
    }

    @Override
    public void hidden(Kind kind, String why) throws InterruptedException {
        fine(kind);
        listener.unseen(kind, why);
        take(new Seen.Hidden(kind));
    }

    /** Whether something was not seen for so long. */
    boolean isBlind(Duration patience) {
        lock.lock();
        try {
            long since = ticks.getAsLong() - patience.toMillis();
            return blind.values().stream().anyMatch(each -> each < since);
        } finally {
            lock.unlock();
        }
    }

    /** Hands everything that waits to a view; waits for the first a little. */
    void drain(SiteView view, long waitMillis) throws InterruptedException {
        Seen next = waiting.poll(waitMillis, TimeUnit.MILLISECONDS);
        for (int i = 0; next != null && i < MOST; i++) {
            switch (next) {
                case Seen.There there -> there.views().forEach(each -> view.see(each, there.asOf()));
                case Seen.SetBack back -> view.setBack(back.kind());
                case Seen.Hidden hidden -> view.hidden(hidden.kind());
                case Seen.Gone gone -> view.gone(gone.key(), gone.version());
                case Seen.Listed listed -> view.listed(listed.kind(), listed.keys(), listed.version());
            }
            next = waiting.poll();
        }
    }
}
