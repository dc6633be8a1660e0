package dev.flotilla.testkit.browser;

/** The size and colour scheme in which a page is shown. */
public record Viewport(int width, int height, boolean dark) {
    public static final Viewport DESK = new Viewport(1280, 900, false);
    public static final Viewport DESK_AT_NIGHT = new Viewport(1280, 900, true);
    public static final Viewport PHONE = new Viewport(390, 844, false);
}
