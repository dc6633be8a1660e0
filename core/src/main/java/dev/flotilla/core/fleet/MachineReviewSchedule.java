package dev.flotilla.core.fleet;

import dev.flotilla.core.fleet.column.MachinePriorityHeap;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.time.AttemptTimeouts;
import dev.flotilla.core.fleet.time.MachineTimerQueue;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Which machines must be reviewed: at a time, for their attempt, retry or soak, and at once, after a change that may
 * affect their command lease. A parked machine is not reviewed.
 */
final class MachineReviewSchedule {
    private final FleetInventory inventory;
    private final Map<PolicyScope, UpgradePolicy> policies;
    private final IntPredicate isParked;
    private final MachineTimerQueue timers;
    /** Machines whose command lease must be reviewed because something that permits it has changed. By key. */
    private final MachinePriorityHeap leaseReviews;

    MachineReviewSchedule(FleetInventory inventory, Map<PolicyScope, UpgradePolicy> policies, IntPredicate isParked) {
        this.inventory = inventory;
        this.policies = policies;
        this.isParked = isParked;
        this.timers = new MachineTimerQueue(inventory.machines()::compareKeys);
        this.leaseReviews = new MachinePriorityHeap(inventory.machines()::compareKeys);
    }

    /** Schedules the reviews of a machine again, as if its row had just been put. */
    void reschedule(int machine) {
        scheduleTimer(machine);
        requestLeaseReview(machine);
        inventory.touch(machine);
    }

    /** Schedules the timer of a machine as its status row and the policies require. */
    void scheduleTimer(int machine) {
        if (isParked.test(machine)) {
            timers.set(machine, MachineTimerQueue.NEVER);
            return;
        }
        MachineStatus status = inventory.machines().statuses().whole(machine);
        timers.set(
                machine,
                status == null
                        ? soakEndOf(machine)
                        : MachineTimerQueue.of(
                                status,
                                AttemptTimeouts.lostAfter(
                                        policies.get(FleetScope.FLEET),
                                        policies.get(status.key().site()))));
    }

    /** Schedules all timers again, after a change of policies. */
    void rescheduleTimers() {
        List<Integer> machines = timers.machines();
        machines.forEach(this::scheduleTimer);
    }

    /** Sets the timer of a machine to a time in milliseconds, until its row is put. */
    void setTimer(int machine, long at) {
        timers.set(machine, at);
    }

    /** When the first timer is due, in milliseconds; {@link MachineTimerQueue#NEVER} for none. */
    long nextTimerAt() {
        return timers.nextDueMillis();
    }

    /** Removes a machine whose status row was removed. */
    void remove(int machine) {
        timers.set(machine, MachineTimerQueue.NEVER);
        leaseReviews.remove(machine);
    }

    /** When the soak after a machine's success ends. */
    private long soakEndOf(int machine) {
        long until = inventory.machines().statuses().soakUntil(machine);
        return until < 0 ? MachineTimerQueue.NEVER : until;
    }

    /** Requests a review of a machine's command lease if it has an attempt. */
    void requestLeaseReview(int machine) {
        if (inventory.machines().statuses().attempt(machine) == null || isParked.test(machine)) {
            leaseReviews.remove(machine);
        } else {
            leaseReviews.put(machine, 0);
        }
    }

    /** Requests reviews of the command leases that a record under this key, readable or not, may affect. */
    void requestLeaseReviewsAt(RowKey place) {
        SiteId site = RecordKeyFormat.siteOf(place);
        switch (place.key()) {
            case MachineKey machine -> {
                int row = inventory.machines().find(machine);
                ClusterState cluster = row < 0 ? null : inventory.machines().cluster(row);
                if (cluster != null) {
                    requestLeaseReviews(cluster);
                }
            }
            case ClusterKey cluster -> requestLeaseReviews(inventory.cluster(cluster));
            default -> {
                if (site == null) {
                    requestAllLeaseReviews();
                } else {
                    inventory.clusters().values().stream()
                            .filter(cluster -> cluster.site().id().equals(site))
                            .forEach(this::requestLeaseReviews);
                }
            }
        }
    }

    private void requestLeaseReviews(ClusterState cluster) {
        for (int i = 0; i < cluster.size(); i++) {
            requestLeaseReview(cluster.member(i));
        }
    }

    /** Requests reviews of all command leases. */
    void requestAllLeaseReviews() {
        timers.machines().forEach(this::requestLeaseReview);
    }

    /** Passes the timers of machines without an attempt: a retry is due, or a soak has ended. */
    void expireRetries(Instant now) {
        while (timers.nextDueMillis() <= now.toEpochMilli()) {
            int machine = timers.first();
            if (inventory.machines().statuses().attempt(machine) != null) {
                return;
            }
            MachineStatus status = inventory.machines().statuses().whole(machine);
            timers.set(machine, status == null ? MachineTimerQueue.NEVER : MachineTimerQueue.retry(status, now));
            inventory.touch(machine);
        }
    }

    /** A machine whose attempt is due; null for none. */
    @Nullable
    MachineView nextDueAttempt(Instant now) {
        expireRetries(now);
        return timers.nextDueMillis() > now.toEpochMilli()
                ? null
                : new MachineView(inventory.machines(), timers.first());
    }

    /** The next machine whose command lease must be reviewed; null for none. */
    @Nullable
    MachineView pollLeaseReview() {
        if (leaseReviews.isEmpty()) {
            return null;
        }
        int machine = leaseReviews.first();
        leaseReviews.remove(machine);
        return new MachineView(inventory.machines(), machine);
    }
}
