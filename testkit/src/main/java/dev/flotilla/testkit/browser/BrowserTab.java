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

/** A page as somebody has it before their eyes. */
public final class BrowserTab {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
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

    /** Looks at it from now on like this. */
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

    /** What an expression comes to, as a text; a promise is waited for. */
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

    /** What can be read in an element; empty where it is not there. */
    public String read(String selector) {
        return evaluate("document.querySelector(" + quoted(selector) + ")?.innerText ?? ''");
    }

    /** Waits until an expression is true. */
    public void await(String expression) {
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (!holds(expression)) {
            if (System.nanoTime() > until) {
                throw new AssertionError(expression + " does not come true; complaints: " + consoleErrors()
                        + "; the page: " + read("body"));
            }
        }
    }

    /** A page that is just being left, or not yet there, has no answer: it is asked again. */
    private boolean holds(String expression) {
        try {
            // A frame apart: what waits for the page must not keep it from drawing.
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

    /** Presses a key, as a keyboard does. */
    public void press(String key) {
        for (String type : List.of("keyDown", "keyUp")) {
            JsonObject event =
                    new JsonObject().put("type", type).put("key", key).put("code", key);
            int number = virtual(key);
            event.put("windowsVirtualKeyCode", number);
            if (key.equals("Enter") && type.equals("keyDown")) {
                event.put("text", "\r");
            }
            call("Input.dispatchKeyEvent", event);
        }
    }

    private static int virtual(String key) {
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

    /** Types a text into what has the focus. */
    public void type(String text) {
        call("Input.insertText", new JsonObject().put("text", text));
    }

    /** Writes down what can be seen. */
    public void takeScreenshot(Path file) throws IOException {
        JsonObject shot = call("Page.captureScreenshot", new JsonObject().put("format", "png"));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Base64.getDecoder().decode(shot.getString("data")));
    }

    /** What went wrong in the page: exceptions that nobody caught, and what it was kept from by its policy. */
    public List<String> consoleErrors() {
        List<String> found = new ArrayList<>();
        devToolsConnection.events(session, "Runtime.exceptionThrown").forEach(thrown -> found.add(thrown.encode()));
        for (JsonObject said : devToolsConnection.events(session, "Log.entryAdded")) {
            JsonObject entry = said.getJsonObject("entry");
            // That an orchestrator is away is no fault of the page.
            if (entry.getString("level").equals("error")
                    && !entry.getString("source").equals("network")) {
                found.add(entry.getString("text"));
            }
        }
        return found;
    }

    /** Every address that it has asked for. */
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
