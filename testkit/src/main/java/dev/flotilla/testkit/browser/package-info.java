/**
 * A real headless browser for tests of web pages. It uses Chromium's DevTools protocol over a plain WebSocket: tests
 * need little of it, so there is no WebDriver beside the browser.
 */
@NullMarked
package dev.flotilla.testkit.browser;

import org.jspecify.annotations.NullMarked;
