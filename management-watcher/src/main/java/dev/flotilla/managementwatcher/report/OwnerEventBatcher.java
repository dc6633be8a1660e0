package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.schemas.id.OwnerKey;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Collects the machines of an owner that are done, for one Event every half minute. Used by one thread. */
final class OwnerEventBatcher {
    private static final long WINDOW_MILLIS = 30_000;
    private static final int MAX_NAMES = 10;

    private final Map<OwnerEventKey, DoneMachines> open = new LinkedHashMap<>();

    private record OwnerEventKey(OwnerKey owner, String uid, String target) {}

    private static final class DoneMachines {
        private final long since;
        private final List<String> names = new ArrayList<>();
        private int unnamed;

        DoneMachines(long since) {
            this.since = since;
        }
    }

    void addMachine(OwnerView owner, String target, String machine, long now) {
        DoneMachines done = open.computeIfAbsent(
                new OwnerEventKey(owner.key(), owner.uid(), target), first -> new DoneMachines(now));
        if (done.names.size() < MAX_NAMES) {
            done.names.add(machine);
        } else {
            done.unnamed++;
        }
    }

    /** Returns the Events that are due. */
    List<ObjectWrite.EventWrite> dueEvents(long now) {
        List<ObjectWrite.EventWrite> due = new ArrayList<>();
        Iterator<Map.Entry<OwnerEventKey, DoneMachines>> each = open.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<OwnerEventKey, DoneMachines> one = each.next();
            if (now - one.getValue().since >= WINDOW_MILLIS) {
                OwnerEventKey ownerEventKey = one.getKey();
                due.add(new ObjectWrite.EventWrite(
                        ownerEventKey.owner(),
                        ownerEventKey.uid(),
                        createEvent(ownerEventKey.target(), one.getValue())));
                each.remove();
            }
        }
        return due;
    }

    private static UpgradeEvent createEvent(String target, DoneMachines done) {
        String names = done.names.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
        int count = done.names.size() + done.unnamed;
        return UpgradeEvent.doneFor(
                target,
                (count == 1 ? "" : count + " machines: ")
                        + names
                        + (done.unnamed == 0 ? "" : " and " + done.unnamed + " more"));
    }
}
