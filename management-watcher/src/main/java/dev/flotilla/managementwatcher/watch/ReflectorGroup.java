package dev.flotilla.managementwatcher.watch;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.SiteId;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps up with every kind of objects that is watched. */
public final class ReflectorGroup implements AutoCloseable {
    private final CountDownLatch over = new CountDownLatch(1);

    private ReflectorGroup() {}

    /** Begins. */
    public static ReflectorGroup start(
            SiteId site, KubeApiClient api, ServedApiVersions versions, WatchEventHandler taker) {
        ReflectorGroup reflectorGroup = new ReflectorGroup();
        for (WatchedKind watchedKind : WatchedKind.values()) {
            Thread.ofVirtual()
                    .name("watch-" + watchedKind.plural())
                    .start(new Reflector(
                            watchedKind,
                            site,
                            api,
                            versions,
                            taker,
                            reflectorGroup.over,
                            () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime())));
        }
        return reflectorGroup;
    }

    /** Nothing more is listed; what is being watched ends with the client. */
    @Override
    public void close() {
        over.countDown();
    }
}
