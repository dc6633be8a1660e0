package dev.flotilla.runtime.log;

import java.util.function.BiConsumer;

/** A state that is logged when it changes, however often it is reported. One thread sets it, any thread reads it. */
public final class LogOnChange<T> {
    private final BiConsumer<T, T> log;
    private volatile T current;

    /**
     * @param log receives the previous and the new state
     */
    public LogOnChange(T initial, BiConsumer<T, T> log) {
        this.current = initial;
        this.log = log;
    }

    public T current() {
        return current;
    }

    /** Sets the state, and logs it if it is another one. */
    public void set(T now) {
        T previous = current;
        current = now;
        if (!previous.equals(now)) {
            log.accept(previous, now);
        }
    }
}
