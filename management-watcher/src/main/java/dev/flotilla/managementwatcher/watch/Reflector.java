package dev.flotilla.managementwatcher.watch;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.kube.WatchResult;
import dev.flotilla.managementwatcher.view.NamespacedName;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.managementwatcher.view.WatchedView;
import dev.flotilla.runtime.retry.JitteredBackoff;
import dev.flotilla.schemas.id.NameValidator;
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
 * Keeps the objects of one kind up to date, on its own thread: it lists them in pages, of which it holds one at a
 * time, and then watches them. A list that fails changes nothing: the known objects stay.
 *
 * <p>Resource versions decrease when the store is restored from a backup, and a watch from a future version sends no
 * events. So a watch that broke is resumed only after the current version was read, and everything is listed again
 * periodically.
 */
final class Reflector implements Runnable {
    /** Duration of one watch; a half-open connection is noticed after this time. */
    private static final Duration WATCH_DURATION = Duration.ofSeconds(60);

    private static final Duration WATCH_GRACE = Duration.ofSeconds(10);
    private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(30);
    private static final JitteredBackoff RETRY_BACKOFF =
            JitteredBackoff.doubling(Duration.ofMillis(250), MAX_RETRY_DELAY);

    /** Interval at which a kind that is not served is looked up again. */
    private static final long UNSERVED_PAUSE = 60_000;

    /** A kind that was served counts as removed after this many failures in a row: about half a minute. */
    private static final int MAX_UNSERVED = 8;

    /** Everything is listed again after this many broken watches in a row. */
    private static final int MAX_BROKEN = 5;

    /**
     * Everything is listed again after this time plus a random delay, so that not all watchers list at the same time.
     */
    static final long RELIST_INTERVAL = Duration.ofMinutes(10).toMillis();

    private static final long RELIST_JITTER = Duration.ofMinutes(20).toMillis();

    private final WatchedKind watchedKind;
    private final KubeApiClient api;
    private final ServedApiVersions versions;
    private final ObjectViewFactory objectViewFactory;
    private final WatchEventHandler handler;
    private final CountDownLatch stopped;
    private final LongSupplier monotonicMillis;
    private int failures;
    private @Nullable String path;
    private @Nullable String resumeVersion;

    /** The latest resource version that was received. */
    private long latestVersion;

    private boolean watchBroken;
    private long nextListAt;

    /**
     * Creates the reflector of one kind.
     *
     * @param monotonicMillis monotonic clock in milliseconds
     */
    Reflector(
            WatchedKind watchedKind,
            SiteId site,
            KubeApiClient api,
            ServedApiVersions versions,
            WatchEventHandler handler,
            CountDownLatch stopped,
            LongSupplier monotonicMillis) {
        this.watchedKind = watchedKind;
        this.api = api;
        this.versions = versions;
        this.objectViewFactory = new ObjectViewFactory(site);
        this.handler = handler;
        this.stopped = stopped;
        this.monotonicMillis = monotonicMillis;
    }

    @Override
    public void run() {
        try {
            long pause = 0;
            while (!stopped.await(pause, TimeUnit.MILLISECONDS)) {
                pause = listOrWatch();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lists or watches once, and returns how many milliseconds to pause afterwards. */
    private long listOrWatch() throws InterruptedException {
        String since = resumeVersion;
        String at = path;
        long now = monotonicMillis.getAsLong();
        if (since == null || at == null || now >= nextListAt) {
            // If listing fails, watching goes on and the list is retried after this pause.
            nextListAt = now + MAX_RETRY_DELAY.toMillis();
            String version = versions.versionOf(watchedKind.group(), watchedKind.plural());
            if (version != null
                    && version.isEmpty()
                    && !watchedKind.isRequired()
                    && (at == null || failures >= MAX_UNSERVED)) {
                return handleUnservedKind();
            }
            return version == null || version.isEmpty()
                    ? handleFailure(
                            "the API server does not serve " + watchedKind.plural() + "." + watchedKind.group()
                                    + ", or its API groups cannot be read",
                            0)
                    : list(KubeApiPath.listPath(watchedKind.group() + "/" + version, watchedKind.plural()));
        }
        if (watchBroken) {
            KubeResponse reply = api.readListVersion(at);
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return handleBrokenWatch(reply.problem(), retryAfter(reply));
            }
            if (ObjectViewFactory.parseVersion(successResponse.object().resourceVersion()) < latestVersion) {
                resumeVersion = null;
                return 0;
            }
            watchBroken = false;
        }
        return switch (api.watch(at, since, WATCH_DURATION, WATCH_GRACE, new WatchResult.WatchHandler() {
            @Override
            public void onOpened() {
                handler.kindInSync(watchedKind);
            }

            @Override
            public void onEvent(String type, KubeObject object) throws InterruptedException {
                handleObject(type, object);
            }
        })) {
            case WatchResult.WatchEnded watchEnded -> {
                failures = 0;
                yield 0;
            }
            case WatchResult.VersionExpired versionExpired -> {
                resumeVersion = null;
                yield 0;
            }
            case WatchResult.WatchBroken off -> handleBrokenWatch(off.reason(), off.retryAfterSeconds());
        };
    }

    /** Handles a broken watch. A server that sent Retry-After gets no new list. */
    private long handleBrokenWatch(String why, long retryAfterSeconds) {
        watchBroken = true;
        if (failures >= MAX_BROKEN && retryAfterSeconds == 0) {
            resumeVersion = null;
        }
        return handleFailure(why, retryAfterSeconds);
    }

    private static long retryAfter(KubeResponse reply) {
        return reply instanceof KubeResponse.ErrorResponse errorResponse ? errorResponse.retryAfterSeconds() : 0;
    }

    private long list(String at) throws InterruptedException {
        Listing listing = new Listing(at);
        do {
            KubeResponse problem = listing.readPage();
            if (problem != null) {
                versions.forget(watchedKind.group(), watchedKind.plural());
                return problem.isForbidden() && path == null && watchedKind.isDispensable()
                        ? handleForbiddenKind(problem.problem())
                        : handleFailure(problem.problem(), retryAfter(problem));
            }
        } while (!listing.next.isEmpty());
        handler.handleEvent(
                new WatchEvent.KindListed(watchedKind, listing.keys, ObjectViewFactory.parseVersion(listing.version)));
        handler.kindInSync(watchedKind);
        failures = 0;
        path = at;
        resumeVersion = listing.version;
        watchBroken = false;
        nextListAt = monotonicMillis.getAsLong()
                + RELIST_INTERVAL
                + ThreadLocalRandom.current().nextLong(RELIST_JITTER);
        return 0;
    }

    private long handleForbiddenKind(String why) throws InterruptedException {
        failures = 0;
        handler.kindForbidden(watchedKind, why);
        return UNSERVED_PAUSE;
    }

    /** A list in progress: the keys and the version of the pages read so far. */
    private final class Listing {
        private final String at;
        private final Set<NamespacedName> keys = new HashSet<>();
        private String next = "";
        private String version = "";

        private Listing(String at) {
            this.at = at;
        }

        /**
         * Reads one page and passes it on, so that the next page does not need its memory. Returns what went wrong;
         * null for nothing.
         */
        private @Nullable KubeResponse readPage() throws InterruptedException {
            KubeResponse reply = api.listPage(at, "", next);
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return reply;
            }
            version = successResponse.object().resourceVersion();
            long now = ObjectViewFactory.parseVersion(version);
            if (now < latestVersion) {
                handler.storeRestored(watchedKind, latestVersion, now);
            }
            latestVersion = now;
            List<WatchedView> views = new ArrayList<>();
            for (KubeObject item : successResponse.object().list("items")) {
                WatchedView watchedView = createView(item);
                if (watchedView != null) {
                    views.add(watchedView);
                    keys.add(new NamespacedName(item.namespace(), item.name()));
                }
            }
            handler.handleEvent(new WatchEvent.ObjectsPresent(watchedKind, views, now));
            next = Objects.requireNonNullElse(successResponse.object().text("metadata", "continue"), "");
            return null;
        }
    }

    private void handleObject(String type, KubeObject object) throws InterruptedException {
        if (!type.equals("BOOKMARK")) {
            WatchedView watchedView = createView(object);
            if (watchedView != null) {
                handler.handleEvent(
                        type.equals("DELETED")
                                ? new WatchEvent.ObjectDeleted(watchedKind, watchedView)
                                : new WatchEvent.ObjectsPresent(
                                        watchedKind, List.of(watchedView), watchedView.version()));
            }
        }
        resumeVersion = object.resourceVersion();
        latestVersion = Math.max(latestVersion, ObjectViewFactory.parseVersion(object.resourceVersion()));
    }

    private @Nullable WatchedView createView(KubeObject object) {
        if (NameValidator.problemOfSubdomain(object.name()) != null
                || NameValidator.problemOfLabel(object.namespace()) != null) {
            handler.readFailed(
                    watchedKind, "an object was ignored because its name or namespace is not a valid DNS name");
            return null;
        }
        return watchedKind.createView(objectViewFactory, object);
    }

    private long handleUnservedKind() throws InterruptedException {
        path = null;
        failures = 0;
        handler.kindInSync(watchedKind);
        handler.handleEvent(new WatchEvent.KindListed(watchedKind, Set.of(), Long.MAX_VALUE));
        return UNSERVED_PAUSE;
    }

    private long handleFailure(String why, long retryAfterSeconds) {
        handler.readFailed(watchedKind, why);
        failures++;
        return TimeUnit.SECONDS.toMillis(retryAfterSeconds) + RETRY_BACKOFF.delayMillis(failures);
    }
}
