package dev.flotilla.managementwatcher.mode;

import dev.flotilla.managementwatcher.event.WatcherListener;
import dev.flotilla.managementwatcher.polling.PollingThread;
import dev.flotilla.runtime.retry.JitteredBackoff;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Probes the mode of a site periodically. A mode stays until a probe finds another one. */
public final class SiteModeWatcher implements Supplier<@Nullable DetectedSiteMode>, AutoCloseable {
    /** Interval of the probes, and so the longest time until a change is noticed. */
    public static final Duration PROBE_INTERVAL = Duration.ofSeconds(30);

    private static final JitteredBackoff RETRY_BACKOFF = JitteredBackoff.constant(Duration.ofSeconds(5));

    private final SiteModeSetting setting;
    private final SiteModeProbe probe;
    private final WatcherListener listener;
    private @Nullable PollingThread probes;
    private volatile @Nullable DetectedSiteMode current;

    private SiteModeWatcher(SiteModeSetting setting, SiteModeProbe probe, WatcherListener listener) {
        this.setting = setting;
        this.probe = probe;
        this.listener = listener;
        this.current = DetectedSiteMode.detectMode(setting, null);
    }

    /** Starts the probes. A mode that is set is known at once. */
    public static SiteModeWatcher start(
            SiteModeSetting setting, SiteModeProbe probe, Duration interval, WatcherListener listener) {
        SiteModeWatcher watch = new SiteModeWatcher(setting, probe, listener);
        DetectedSiteMode set = watch.current;
        if (set != null) {
            watch.reportMode(set);
        }
        watch.probes = PollingThread.start(
                "watch-mode", () -> watch.probeOnce() ? interval : Duration.ofMillis(RETRY_BACKOFF.delayMillis()));
        return watch;
    }

    private void reportMode(DetectedSiteMode found) {
        listener.modeDetected(found.mode(), found.reason(), found.modeConflict());
    }

    /** Returns the mode; null while it is not known. */
    @Override
    public @Nullable DetectedSiteMode get() {
        return current;
    }

    private boolean probeOnce() {
        switch (probe.probeProvider()) {
            case SiteModeProbe.ProbeResult.ProbeFailed probeFailed -> {
                listener.modeProbeFailed(probeFailed.reason());
                return false;
            }
            case SiteModeProbe.ProbeResult.ProbeSucceeded probeSucceeded -> {
                DetectedSiteMode now = DetectedSiteMode.detectMode(setting, probeSucceeded.presence());
                if (now != null && !now.equals(current)) {
                    current = now;
                    reportMode(now);
                }
                return true;
            }
        }
    }

    /** Stops the probes. The listener is not called any more. */
    @Override
    public void close() {
        PollingThread running = probes;
        if (running != null) {
            running.close();
        }
    }
}
