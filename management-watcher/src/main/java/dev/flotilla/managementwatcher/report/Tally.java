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
final class Tally {
    private static final long WINDOW = 30_000;
    private static final int NAMED = 10;

    private final Map<About, Done> open = new LinkedHashMap<>();

    private record About(OwnerKey owner, String uid, String target) {}

    private static final class Done {
        private final long since;
        private final List<String> named = new ArrayList<>();
        private int more;

        Done(long since) {
            this.since = since;
        }
    }

    void add(OwnerView owner, String target, String machine, long now) {
        Done done = open.computeIfAbsent(new About(owner.key(), owner.uid(), target), first -> new Done(now));
        if (done.named.size() < NAMED) {
            done.named.add(machine);
        } else {
            done.more++;
        }
    }

    /** What is to be told by now. */
    List<Change.Notice> due(long now) {
        List<Change.Notice> due = new ArrayList<>();
        Iterator<Map.Entry<About, Done>> each = open.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<About, Done> one = each.next();
            if (now - one.getValue().since >= WINDOW) {
                About about = one.getKey();
                due.add(new Change.Notice(about.owner(), about.uid(), told(about.target(), one.getValue())));
                each.remove();
            }
        }
        return due;
    }

    private static Happened told(String target, Done done) {
        String names = done.named.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
        int count = done.named.size() + done.more;
        return Happened.doneFor(
                target,
                (count == 1 ? "" : count + " machines: ")
                        + names
                        + (done.more == 0 ? "" : " and " + done.more + " more"));
    }
}
