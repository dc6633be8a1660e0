package dev.flotilla.managementwatcher.watch;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.schemas.id.SiteId;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps up with every kind of objects that is watched. */
public final class Watches implements AutoCloseable {
    private final CountDownLatch over = new CountDownLatch(1);

    private Watches() {}

    /** Begins. */
    public static Watches start(SiteId site, KubeApiClient api, ServedApiVersions versions, SightTaker taker) {
        Watches watches = new Watches();
        for (Kind kind : Kind.values()) {
            Thread.ofVirtual()
                    .name("watch-" + kind.plural())
                    .start(new Reflector(
                            kind,
                            site,
                            api,
                            versions,
                            taker,
                            watches.over,
                            () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime())));
        }
        return watches;
    }

    /** Nothing more is listed; what is being watched ends with the client. */
    @Override
    public void close() {
        over.countDown();
    }
}
