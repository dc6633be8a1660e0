package dev.flotilla.simulator.rollout;

import dev.flotilla.schemas.row.AttemptProgress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The reports that workers will write, the earliest first; reports of one instant in the order in which they were
 * added. The instants are in one array, so that finding the next of many thousands does not touch the reports.
 */
final class ScheduledReportQueue {
    static final long NEVER = Long.MAX_VALUE;

    private static final int INITIAL_CAPACITY = 64;

    private long[] at = new long[INITIAL_CAPACITY];
    private long[] order = new long[INITIAL_CAPACITY];
    private @Nullable AttemptProgress[] reports = new @Nullable AttemptProgress[INITIAL_CAPACITY];
    private int size;
    private long added;

    /** When the next report arrives; {@link #NEVER} if none will. */
    long next() {
        return size == 0 ? NEVER : at[0];
    }

    void add(AttemptProgress report) {
        if (size == at.length) {
            at = Arrays.copyOf(at, size * 2);
            order = Arrays.copyOf(order, size * 2);
            reports = Arrays.copyOf(reports, size * 2);
        }
        int place = size++;
        at[place] = report.reportedAt().toEpochMilli();
        order[place] = added++;
        reports[place] = report;
        while (place > 0 && before(place, (place - 1) >>> 1)) {
            swap(place, (place - 1) >>> 1);
            place = (place - 1) >>> 1;
        }
    }

    /** Removes the next report. */
    AttemptProgress poll() {
        AttemptProgress next = reports[0];
        if (size == 0 || next == null) {
            throw new IllegalStateException("the queue of reports is empty");
        }
        swap(0, --size);
        reports[size] = null;
        int place = 0;
        while (2 * place + 1 < size) {
            int child = 2 * place + 1;
            if (child + 1 < size && before(child + 1, child)) {
                child++;
            }
            if (!before(child, place)) {
                break;
            }
            swap(place, child);
            place = child;
        }
        return next;
    }

    private boolean before(int place, int other) {
        return at[place] != at[other] ? at[place] < at[other] : order[place] < order[other];
    }

    private void swap(int place, int other) {
        long instant = at[place];
        at[place] = at[other];
        at[other] = instant;
        long number = order[place];
        order[place] = order[other];
        order[other] = number;
        AttemptProgress report = reports[place];
        reports[place] = reports[other];
        reports[other] = report;
    }
}
