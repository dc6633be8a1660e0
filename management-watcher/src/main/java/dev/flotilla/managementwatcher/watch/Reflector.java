package dev.flotilla.managementwatcher.watch;

import dev.flotilla.kube.Kube;
import dev.flotilla.kube.KubeApi;
import dev.flotilla.kube.KubePath;
import dev.flotilla.kube.Reply;
import dev.flotilla.kube.ServedVersions;
import dev.flotilla.kube.Watched;
import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.managementwatcher.view.Projection;
import dev.flotilla.managementwatcher.view.View;
import dev.flotilla.schemas.id.Names;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.SiteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps up with one kind of objects, on a thread of its own: a list in pages, of which no more than one is held at a time, then
 * one watch after the other. A list that fails tells nothing: what is known stays.
 */
final class Reflector implements Runnable {
    /** A connection that is open for one side only is noticed after so long. */
    private static final Duration WATCH = Duration.ofSeconds(60);

    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final long FIRST_PAUSE = 250;
    private static final long LONGEST_PAUSE = 30_000;

    /** How often a kind that is not served is asked for. */
    private static final long UNSERVED_PAUSE = 60_000;

    /** A kind that was there is believed to be no more when it was not served so often in a row: half a minute about. */
    private static final int MOST_UNSERVED = 8;

    /** After so many watches that broke off everything is listed again. */
    private static final int MOST_BROKEN = 5;

    private final Kind kind;
    private final KubeApi api;
    private final ServedVersions versions;
    private final Projection projection;
    private final SightTaker taker;
    private final CountDownLatch over;
    private int failures;
    private @Nullable String path;
    private @Nullable String from;

    Reflector(Kind kind, SiteId site, KubeApi api, ServedVersions versions, SightTaker taker, CountDownLatch over) {
        this.kind = kind;
        this.api = api;
        this.versions = versions;
        this.projection = new Projection(site);
        this.taker = taker;
        this.over = over;
    }

    @Override
    public void run() {
        try {
            long pause = 0;
            while (!over.await(pause, TimeUnit.MILLISECONDS)) {
                pause = step();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lists or watches; returns how long to pause then. */
    private long step() throws InterruptedException {
        String since = from;
        String at = path;
        if (since == null || at == null) {
            String version = versions.of(kind.group(), kind.plural());
            if (version != null
                    && version.isEmpty()
                    && !kind.isRequired()
                    && (at == null || failures >= MOST_UNSERVED)) {
                return unserved();
            }
            return version == null || version.isEmpty()
                    ? failed(kind.plural() + "." + kind.group() + " are not served, or cannot be asked for")
                    : list(KubePath.all(kind.group() + "/" + version, kind.plural()));
        }
        return switch (api.watch(at, since, WATCH, GRACE, new Watched.Taker() {
            @Override
            public void opened() {
                taker.fine(kind);
            }

            @Override
            public void take(String type, Kube object) throws InterruptedException {
                happened(type, object);
            }
        })) {
            case Watched.Ended ended -> {
                failures = 0;
                yield 0;
            }
            case Watched.Expired expired -> {
                from = null;
                yield 0;
            }
            case Watched.Broken broken -> {
                if (failures >= MOST_BROKEN) {
                    from = null;
                }
                yield failed(broken.why());
            }
        };
    }

    private long list(String at) throws InterruptedException {
        Listing listing = new Listing(at);
        do {
            String problem = listing.page();
            if (problem != null) {
                versions.forget(kind.group(), kind.plural());
                return failed(problem);
            }
        } while (!listing.next.isEmpty());
        taker.take(new Seen.Listed(kind, listing.keys, Projection.version(listing.version)));
        taker.fine(kind);
        failures = 0;
        path = at;
        from = listing.version;
        return 0;
    }

    /** A list, as far as it was read. */
    private final class Listing {
        private final String at;
        private final Set<ObjectKey> keys = new HashSet<>();
        private String next = "";
        private String version = "";

        private Listing(String at) {
            this.at = at;
        }

        /** Takes a page, of which nothing is held when the next is asked for. Returns what went wrong; null for nothing. */
        private @Nullable String page() throws InterruptedException {
            Reply reply = api.page(at, "", next);
            if (!(reply instanceof Reply.Done done)) {
                return reply.problem();
            }
            List<View> views = new ArrayList<>();
            for (Kube item : done.object().list("items")) {
                View view = projected(item);
                if (view != null) {
                    views.add(view);
                    keys.add(view.key());
                }
            }
            taker.take(new Seen.There(kind, views));
            next = Objects.requireNonNullElse(done.object().text("metadata", "continue"), "");
            version = done.object().resourceVersion();
            return null;
        }
    }

    private void happened(String type, Kube object) throws InterruptedException {
        if (!type.equals("BOOKMARK")) {
            View view = projected(object);
            if (view != null) {
                taker.take(
                        type.equals("DELETED")
                                ? new Seen.Gone(kind, view.key(), view.version())
                                : new Seen.There(kind, List.of(view)));
            }
        }
        from = object.resourceVersion();
    }

    private @Nullable View projected(Kube object) {
        if (Names.problemOfSubdomain(object.name()) != null || Names.problemOfLabel(object.namespace()) != null) {
            taker.trouble(kind, "an object without a name that could stand in a row");
            return null;
        }
        return kind.project(projection, object);
    }

    private long unserved() throws InterruptedException {
        path = null;
        failures = 0;
        taker.fine(kind);
        taker.take(new Seen.Listed(kind, Set.of(), Long.MAX_VALUE));
        return UNSERVED_PAUSE;
    }

    private long failed(String why) {
        taker.trouble(kind, why);
        long longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failures++, 10));
        return longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1);
    }
}
