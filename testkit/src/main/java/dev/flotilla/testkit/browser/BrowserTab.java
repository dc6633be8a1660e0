package dev.flotilla.testkit.browser;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A page open in a browser tab. */
public final class BrowserTab {
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final JsonObject NOTHING = new JsonObject();

    private final DevToolsConnection devToolsConnection;
    private final String session;

    private BrowserTab(DevToolsConnection devToolsConnection, String session) {
        this.devToolsConnection = devToolsConnection;
        this.session = session;
    }

    static BrowserTab open(DevToolsConnection devToolsConnection, Viewport viewport) {
        JsonObject target =
                devToolsConnection.call(null, "Target.createTarget", new JsonObject().put("url", "about:blank"));
        JsonObject attach =
                new JsonObject().put("targetId", target.getString("targetId")).put("flatten", true);
        BrowserTab tab = new BrowserTab(
                devToolsConnection,
                devToolsConnection.call(null, "Target.attachToTarget", attach).getString("sessionId"));
        tab.call("Page.enable", NOTHING);
        tab.call("Runtime.enable", NOTHING);
        tab.call("Log.enable", NOTHING);
        tab.call("Network.enable", NOTHING);
        tab.setViewport(viewport);
        return tab;
    }

    /** Changes the size and colour scheme of the tab. */
    public void setViewport(Viewport viewport) {
        call(
                "Emulation.setDeviceMetricsOverride",
                new JsonObject()
                        .put("width", viewport.width())
                        .put("height", viewport.height())
                        .put("deviceScaleFactor", 1)
                        .put("mobile", false));
        JsonObject scheme =
                new JsonObject().put("name", "prefers-color-scheme").put("value", viewport.dark() ? "dark" : "light");
        call("Emulation.setEmulatedMedia", new JsonObject().put("features", new JsonArray().add(scheme)));
    }

    void navigate(String url) {
        call("Page.navigate", new JsonObject().put("url", url));
    }

    /** The result of a JavaScript expression as text; a promise is awaited. */
    public String evaluate(String expression) {
        JsonObject result = call(
                "Runtime.evaluate",
                new JsonObject()
                        .put("expression", "Promise.resolve(" + expression + ").then(String)")
                        .put("awaitPromise", true)
                        .put("returnByValue", true));
        if (result.containsKey("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + result.getValue("exceptionDetails"));
        }
        return result.getJsonObject("result").getString("value");
    }

    /** The visible text of an element; empty if there is no such element. */
    public String read(String selector) {
        return evaluate("document.querySelector(" + quoted(selector) + ")?.innerText ?? ''");
    }

    /** Waits until an expression is true. */
    public void await(String expression) {
        long until = System.nanoTime() + TIMEOUT_NANOS;
        while (!isTrue(expression)) {
            if (System.nanoTime() > until) {
                throw new AssertionError(expression + " was not true within 60 s; console errors: " + consoleErrors()
                        + "; the page: " + read("body"));
            }
        }
    }

    /** Whether an expression is true. A page that is being left or loaded cannot answer; the caller tries again. */
    private boolean isTrue(String expression) {
        try {
            // Waits in between, because polling must not keep the page from drawing.
            evaluate("new Promise(done => setTimeout(done, 50))");
            return evaluate("Boolean(" + expression + ")").equals("true");
        } catch (IllegalStateException notYet) {
            return false;
        }
    }

    /** Waits until an element shows a text. */
    public void awaitText(String selector, String text) {
        await("document.querySelector(" + quoted(selector) + ")?.innerText.includes(" + quoted(text) + ")");
    }

    /** Presses a key. */
    public void press(String key) {
        for (String type : List.of("keyDown", "keyUp")) {
            JsonObject event =
                    new JsonObject().put("type", type).put("key", key).put("code", key);
            int number = virtualKeyCode(key);
            event.put("windowsVirtualKeyCode", number);
            if (key.equals("Enter") && type.equals("keyDown")) {
                event.put("text", "\r");
            }
            call("Input.dispatchKeyEvent", event);
        }
    }

    private static int virtualKeyCode(String key) {
        return switch (key) {
            case "Tab" -> 9;
            case "Enter" -> 13;
            case "ArrowLeft" -> 37;
            case "ArrowUp" -> 38;
            case "ArrowRight" -> 39;
            case "ArrowDown" -> 40;
            default -> throw new IllegalArgumentException(key);
        };
    }

    /** Types a text into the focused element. */
    public void type(String text) {
        call("Input.insertText", new JsonObject().put("text", text));
    }

    /** Writes a screenshot to a file. */
    public void takeScreenshot(Path file) throws IOException {
        JsonObject shot = call("Page.captureScreenshot", new JsonObject().put("format", "png"));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Base64.getDecoder().decode(shot.getString("data")));
    }

    /** Errors of the page: uncaught exceptions, and violations of its content security policy. */
    public List<String> consoleErrors() {
        List<String> found = new ArrayList<>();
        devToolsConnection.events(session, "Runtime.exceptionThrown").forEach(thrown -> found.add(thrown.encode()));
        for (JsonObject message : devToolsConnection.events(session, "Log.entryAdded")) {
            JsonObject entry = message.getJsonObject("entry");
            // An unreachable orchestrator is no error of the page.
            if (entry.getString("level").equals("error")
                    && !entry.getString("source").equals("network")) {
                found.add(entry.getString("text"));
            }
        }
        return found;
    }

    /** Every URL that the page has requested. */
    public List<String> requests() {
        return devToolsConnection.events(session, "Network.requestWillBeSent").stream()
                .map(sent -> sent.getJsonObject("request").getString("url"))
                .toList();
    }

    private JsonObject call(String method, JsonObject parameters) {
        return devToolsConnection.call(session, method, parameters);
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
