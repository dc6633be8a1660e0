package dev.flotilla.testkit.browser;

/** On what a page is looked at. */
public record Look(int width, int height, boolean dark) {
    public static final Look DESK = new Look(1280, 900, false);
    public static final Look DESK_AT_NIGHT = new Look(1280, 900, true);
    public static final Look PHONE = new Look(390, 844, false);
}
