package dev.flotilla.managementwatcher.mode;

/** Hears of a site's mode. */
public interface SiteModeListener {
    /** It is this one now, or there are other doubts. */
    void modeDetected(DetectedSiteMode found);

    /** It could not be found out; it is tried again, and what was found before holds. */
    void modeProbeFailed(String why);
}
