package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.regex.Pattern;

/** JSON codec for versions of Kubernetes. */
final class KubernetesVersionCodec {
    private static final Pattern FORM = Pattern.compile("v?[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,4}([-+][0-9A-Za-z.+-]+)?");
    private static final int MAX_LENGTH = 64;

    static final JsonCodec<String> VERSION = ScalarCodecs.parsed(
            "a version such as 1.33.2",
            MAX_LENGTH,
            text -> FORM.matcher(text).matches() ? null : "must be a version such as 1.33.2",
            text -> text,
            text -> text);

    private KubernetesVersionCodec() {}
}
