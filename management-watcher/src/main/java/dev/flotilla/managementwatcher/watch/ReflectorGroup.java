package dev.flotilla.managementwatcher.watch;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.SiteId;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The reflectors of all watched kinds. */
public final class ReflectorGroup implements AutoCloseable {
    private final CountDownLatch stopped = new CountDownLatch(1);

    private ReflectorGroup() {}

    /** Starts one reflector for each kind. */
    public static ReflectorGroup start(
            SiteId site, KubeApiClient api, ServedApiVersions versions, WatchEventHandler handler) {
        ReflectorGroup reflectorGroup = new ReflectorGroup();
        for (WatchedKind watchedKind : WatchedKind.values()) {
            Thread.ofVirtual()
                    .name("watch-" + watchedKind.plural())
                    .start(new Reflector(
                            watchedKind,
                            site,
                            api,
                            versions,
                            handler,
                            reflectorGroup.stopped,
                            () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime())));
        }
        return reflectorGroup;
    }

    /** Stops listing. Open watches end when the client is closed. */
    @Override
    public void close() {
        stopped.countDown();
    }
}
