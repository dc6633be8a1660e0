package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.schemas.id.OwnerKey;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Machines that are done, told of on their owner together: one Event for all of half a minute. Used by one thread. */
final class OwnerEventBatcher {
    private static final long WINDOW = 30_000;
    private static final int NAMED = 10;

    private final Map<OwnerEventKey, Done> open = new LinkedHashMap<>();

    private record OwnerEventKey(OwnerKey owner, String uid, String target) {}

    private static final class Done {
        private final long since;
        private final List<String> named = new ArrayList<>();
        private int more;

        Done(long since) {
            this.since = since;
        }
    }

    void addMachine(OwnerView owner, String target, String machine, long now) {
        Done done = open.computeIfAbsent(new OwnerEventKey(owner.key(), owner.uid(), target), first -> new Done(now));
        if (done.named.size() < NAMED) {
            done.named.add(machine);
        } else {
            done.more++;
        }
    }

    /** What is to be told by now. */
    List<ObjectWrite.EventWrite> dueEvents(long now) {
        List<ObjectWrite.EventWrite> due = new ArrayList<>();
        Iterator<Map.Entry<OwnerEventKey, Done>> each = open.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<OwnerEventKey, Done> one = each.next();
            if (now - one.getValue().since >= WINDOW) {
                OwnerEventKey ownerEventKey = one.getKey();
                due.add(new ObjectWrite.EventWrite(
                        ownerEventKey.owner(), ownerEventKey.uid(), told(ownerEventKey.target(), one.getValue())));
                each.remove();
            }
        }
        return due;
    }

    private static UpgradeEvent told(String target, Done done) {
        String names = done.named.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
        int count = done.named.size() + done.more;
        return UpgradeEvent.doneFor(
                target,
                (count == 1 ? "" : count + " machines: ")
                        + names
                        + (done.more == 0 ? "" : " and " + done.more + " more"));
    }
}
