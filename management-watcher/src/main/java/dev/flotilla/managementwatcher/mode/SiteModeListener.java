package dev.flotilla.managementwatcher.mode;

/** Receives the results of the probes of a site's mode. */
public interface SiteModeListener {
    /** The mode or its conflict has changed. */
    void modeDetected(DetectedSiteMode found);

    /** A probe failed. It is retried; the mode found before stays. */
    void modeProbeFailed(String reason);
}
