/**
 * A real browser without a screen, for tests of pages. It is driven by Chromium's own protocol over a plain WebSocket: what
 * a test does with a page is little, and needs no driver beside the browser.
 */
@NullMarked
package dev.flotilla.testkit.browser;

import org.jspecify.annotations.NullMarked;
