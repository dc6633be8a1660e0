package dev.flotilla.nodeworker.site;

import dev.flotilla.nodeworker.k8sd.Exchange;
import dev.flotilla.nodeworker.k8sd.Request;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.row.FailureEvidence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The last exchanges with a node, for people. What repeats itself is counted. */
final class Trail {
    private final List<String> lines = new ArrayList<>();
    private String last = "";
    private int times;

    void add(Request request, Exchange exchange) {
        String line = request.path().substring(request.path().lastIndexOf('/') + 1) + ": " + said(exchange);
        if (line.equals(last)) {
            times++;
            lines.set(lines.size() - 1, line + " (" + times + " times)");
            return;
        }
        last = line;
        times = 1;
        lines.add(line);
        if (lines.size() > FailureEvidence.MAX_LINES) {
            lines.remove(0);
        }
    }

    private static String said(Exchange exchange) {
        return switch (exchange) {
            case Exchange.NotSent it -> "not sent: " + it.why();
            case Exchange.Untrusted it -> "not sent: " + it.why();
            case Exchange.Broken it -> "no whole answer: " + it.why();
            case Exchange.Garbled it -> it.status() + ", not k8sd's: " + it.why();
            case Exchange.Refusal it -> it.status() + ": " + it.error();
            case Exchange.Success it -> {
                JsonWriter out = new JsonWriter();
                out.jsonValue(it.metadata());
                yield RedactedText.redact(new String(out.toBytes(), StandardCharsets.UTF_8), FailureEvidence.MAX_LINE / 2);
            }
        };
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
