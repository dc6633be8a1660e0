package dev.flotilla.nodeworker.k8sd;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

/** One exchange of a golden file: request, body, response, and its meaning. */
record GoldenExchange(String title, String asked, String body, String answer, String meaning) {
    private static final String NOT_SENT = "not sent: ";
    private static final String BROKEN = "broken: ";

    static Stream<GoldenExchange> in(String file) {
        try (InputStream in = Objects.requireNonNull(GoldenExchange.class.getResourceAsStream(file), file)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(text.strip().split("\n\n", -1)).map(GoldenExchange::parse).toList().stream();
        } catch (IOException e) {
            throw new IllegalStateException(file, e);
        }
    }

    private static GoldenExchange parse(String block) {
        String[] lines = block.split("\n", -1);
        return new GoldenExchange(
                lines[0].substring(2),
                lines[1].substring(2),
                lines[2].substring(2),
                lines[3].substring(2),
                lines[4].substring(2));
    }

    /** How the exchange went. */
    K8sdRequestResult exchange() {
        if (answer.startsWith(NOT_SENT)) {
            return new K8sdRequestResult.RequestNotSent(answer.substring(NOT_SENT.length()));
        }
        if (answer.startsWith(BROKEN)) {
            return new K8sdRequestResult.ConnectionBroken(answer.substring(BROKEN.length()));
        }
        int space = answer.indexOf(' ');
        return K8sdResponseEnvelope.parseResponse(
                Integer.parseInt(answer.substring(0, space)),
                answer.substring(space + 1).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return title;
    }
}
