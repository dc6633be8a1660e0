package dev.flotilla.managementwatcher.mode;

/** Hears of a site's mode. */
public interface ModeListener {
    /** It is this one now, or there are other doubts. */
    void mode(FoundMode found);

    /** It could not be found out; it is tried again, and what was found before holds. */
    void modeUnseen(String why);
}
