package dev.flotilla.simulator.rollout;

import dev.flotilla.schemas.row.AttemptProgress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What workers will say, the next first; of what is said at one instant, what was put in first. The instants stand side
 * by side, so that finding the next of many thousands does not touch the reports.
 */
final class ScheduledReportQueue {
    static final long NEVER = Long.MAX_VALUE;

    private static final int FEW = 64;

    private long[] at = new long[FEW];
    private long[] order = new long[FEW];
    private @Nullable AttemptProgress[] reports = new @Nullable AttemptProgress[FEW];
    private int size;
    private long added;

    /** When the next report comes; {@link #NEVER} where none will. */
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

    /** Takes the next report out. */
    AttemptProgress poll() {
        AttemptProgress next = reports[0];
        if (size == 0 || next == null) {
            throw new IllegalStateException("nobody has anything to say");
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
