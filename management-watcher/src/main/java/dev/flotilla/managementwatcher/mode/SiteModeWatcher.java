package dev.flotilla.managementwatcher.mode;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks again and again in which mode a site is. What was found holds until something else is. */
public final class SiteModeWatcher implements Supplier<@Nullable DetectedSiteMode>, AutoCloseable {
    /** How long it may take until another mode is followed. */
    public static final Duration USUALLY = Duration.ofSeconds(30);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(2);

    private final SiteModeSetting setting;
    private final SiteModeProbe probe;
    private final SiteModeListener listener;
    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable Thread thread;
    private volatile @Nullable DetectedSiteMode found;

    private SiteModeWatcher(SiteModeSetting setting, SiteModeProbe probe, SiteModeListener listener) {
        this.setting = setting;
        this.probe = probe;
        this.listener = listener;
        this.found = DetectedSiteMode.detectMode(setting, null);
    }

    /** Begins; what is set is known at once. */
    public static SiteModeWatcher start(
            SiteModeSetting setting, SiteModeProbe probe, Duration every, SiteModeListener listener) {
        SiteModeWatcher watch = new SiteModeWatcher(setting, probe, listener);
        DetectedSiteMode set = watch.found;
        if (set != null) {
            listener.modeDetected(set);
        }
        watch.thread = Thread.ofVirtual().name("watch-mode").start(() -> watch.run(every));
        return watch;
    }

    /** The mode; null while it is not known. */
    @Override
    public @Nullable DetectedSiteMode get() {
        return found;
    }

    private void run(Duration every) {
        try {
            Duration pause = Duration.ZERO;
            while (!over.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                pause = step() ? every : AFTER_FAILURE;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean step() {
        switch (probe.probeProvider()) {
            case SiteModeProbe.ProbeResult.ProbeFailed probeFailed -> {
                listener.modeProbeFailed(probeFailed.reason());
                return false;
            }
            case SiteModeProbe.ProbeResult.ProbeSucceeded probeSucceeded -> {
                DetectedSiteMode now = DetectedSiteMode.detectMode(setting, probeSucceeded.presence());
                if (now != null && !now.equals(found)) {
                    found = now;
                    listener.modeDetected(now);
                }
                return true;
            }
        }
    }

    /** Nothing more is looked for, and nobody is asked any more. */
    @Override
    public void close() {
        over.countDown();
        Thread looks = thread;
        if (looks == null) {
            return;
        }
        looks.interrupt();
        try {
            looks.join(ENDS_WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
