package dev.flotilla.managementwatcher.watch;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.kube.WatchResult;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.NameValidator;
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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps up with one kind of objects, on a thread of its own: a list in pages, of which no more than one is held at a time, then
 * one watch after the other. A list that fails tells nothing: what is known stays.
 *
 * <p>Versions go back when the store is restored from a backup, and a watch from a version that is still to come says nothing at
 * all. So the version is asked for before a watch goes on that broke off, and everything is listed again now and then.
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

    /** Everything is listed again after so long, or twice that and more: not by all watchers at once. */
    static final long LISTS_AGAIN = Duration.ofMinutes(10).toMillis();

    private static final long LISTS_AGAIN_WITHIN = Duration.ofMinutes(20).toMillis();

    private final WatchedKind watchedKind;
    private final KubeApiClient api;
    private final ServedApiVersions versions;
    private final ObjectViewFactory objectViewFactory;
    private final WatchEventHandler taker;
    private final CountDownLatch over;
    private final LongSupplier ticks;
    private int failures;
    private @Nullable String path;
    private @Nullable String from;

    /** The latest version of the store that was heard of. */
    private long known;

    private boolean broken;
    private long listsAgain;

    /**
     * Of one kind.
     *
     * @param ticks milliseconds of a clock that nobody sets
     */
    Reflector(
            WatchedKind watchedKind,
            SiteId site,
            KubeApiClient api,
            ServedApiVersions versions,
            WatchEventHandler taker,
            CountDownLatch over,
            LongSupplier ticks) {
        this.watchedKind = watchedKind;
        this.api = api;
        this.versions = versions;
        this.objectViewFactory = new ObjectViewFactory(site);
        this.taker = taker;
        this.over = over;
        this.ticks = ticks;
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
        long now = ticks.getAsLong();
        if (since == null || at == null || now >= listsAgain) {
            // Where that fails one that watches goes on meanwhile.
            listsAgain = now + LONGEST_PAUSE;
            String version = versions.versionOf(watchedKind.group(), watchedKind.plural());
            if (version != null
                    && version.isEmpty()
                    && !watchedKind.isRequired()
                    && (at == null || failures >= MOST_UNSERVED)) {
                return unserved();
            }
            return version == null || version.isEmpty()
                    ? failed(
                            watchedKind.plural() + "." + watchedKind.group()
                                    + " are not served, or cannot be asked for",
                            0)
                    : list(KubeApiPath.listPath(watchedKind.group() + "/" + version, watchedKind.plural()));
        }
        if (broken) {
            KubeResponse reply = api.readListVersion(at);
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return brokeOff(reply.problem(), retryAfter(reply));
            }
            if (ObjectViewFactory.parseVersion(successResponse.object().resourceVersion()) < known) {
                from = null;
                return 0;
            }
            broken = false;
        }
        return switch (api.watch(at, since, WATCH, GRACE, new WatchResult.WatchHandler() {
            @Override
            public void onOpened() {
                taker.kindInSync(watchedKind);
            }

            @Override
            public void onEvent(String type, KubeObject object) throws InterruptedException {
                happened(type, object);
            }
        })) {
            case WatchResult.WatchEnded watchEnded -> {
                failures = 0;
                yield 0;
            }
            case WatchResult.VersionExpired versionExpired -> {
                from = null;
                yield 0;
            }
            case WatchResult.WatchBroken off -> brokeOff(off.reason(), off.retryAfterSeconds());
        };
    }

    /** One that is asked to be patient does not ask for more than before. */
    private long brokeOff(String why, long retryAfterSeconds) {
        broken = true;
        if (failures >= MOST_BROKEN && retryAfterSeconds == 0) {
            from = null;
        }
        return failed(why, retryAfterSeconds);
    }

    private static long retryAfter(KubeResponse reply) {
        return reply instanceof KubeResponse.ErrorResponse errorResponse ? errorResponse.retryAfterSeconds() : 0;
    }

    private long list(String at) throws InterruptedException {
        Listing listing = new Listing(at);
        do {
            KubeResponse problem = listing.page();
            if (problem != null) {
                versions.forget(watchedKind.group(), watchedKind.plural());
                return problem.isForbidden() && path == null && watchedKind.isDispensable()
                        ? hidden(problem.problem())
                        : failed(problem.problem(), retryAfter(problem));
            }
        } while (!listing.next.isEmpty());
        taker.handleEvent(
                new WatchEvent.KindListed(watchedKind, listing.keys, ObjectViewFactory.parseVersion(listing.version)));
        taker.kindInSync(watchedKind);
        failures = 0;
        path = at;
        from = listing.version;
        broken = false;
        listsAgain =
                ticks.getAsLong() + LISTS_AGAIN + ThreadLocalRandom.current().nextLong(LISTS_AGAIN_WITHIN);
        return 0;
    }

    private long hidden(String why) throws InterruptedException {
        failures = 0;
        taker.kindForbidden(watchedKind, why);
        return UNSERVED_PAUSE;
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
        private @Nullable KubeResponse page() throws InterruptedException {
            KubeResponse reply = api.listPage(at, "", next);
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return reply;
            }
            version = successResponse.object().resourceVersion();
            long now = ObjectViewFactory.parseVersion(version);
            if (now < known) {
                taker.storeRestored(watchedKind, known, now);
            }
            known = now;
            List<ObjectView> views = new ArrayList<>();
            for (KubeObject item : successResponse.object().list("items")) {
                ObjectView objectView = projected(item);
                if (objectView != null) {
                    views.add(objectView);
                    keys.add(objectView.key());
                }
            }
            taker.handleEvent(new WatchEvent.ObjectsPresent(watchedKind, views, now));
            next = Objects.requireNonNullElse(successResponse.object().text("metadata", "continue"), "");
            return null;
        }
    }

    private void happened(String type, KubeObject object) throws InterruptedException {
        if (!type.equals("BOOKMARK")) {
            ObjectView objectView = projected(object);
            if (objectView != null) {
                taker.handleEvent(
                        type.equals("DELETED")
                                ? new WatchEvent.ObjectGone(watchedKind, objectView.key(), objectView.version())
                                : new WatchEvent.ObjectsPresent(
                                        watchedKind, List.of(objectView), objectView.version()));
            }
        }
        from = object.resourceVersion();
        known = Math.max(known, ObjectViewFactory.parseVersion(object.resourceVersion()));
    }

    private @Nullable ObjectView projected(KubeObject object) {
        if (NameValidator.problemOfSubdomain(object.name()) != null
                || NameValidator.problemOfLabel(object.namespace()) != null) {
            taker.readFailed(watchedKind, "an object without a name that could stand in a row");
            return null;
        }
        return watchedKind.createView(objectViewFactory, object);
    }

    private long unserved() throws InterruptedException {
        path = null;
        failures = 0;
        taker.kindInSync(watchedKind);
        taker.handleEvent(new WatchEvent.KindListed(watchedKind, Set.of(), Long.MAX_VALUE));
        return UNSERVED_PAUSE;
    }

    private long failed(String why, long retryAfterSeconds) {
        taker.readFailed(watchedKind, why);
        long longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failures++, 10));
        long pause = longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1);
        return TimeUnit.SECONDS.toMillis(retryAfterSeconds) + pause;
    }
}
