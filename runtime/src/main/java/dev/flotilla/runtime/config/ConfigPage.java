package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The reference of a configuration in Markdown, made of the declaration that reads it. */
public final class ConfigPage {
    private ConfigPage() {}

    /** A table of all settings, each with its variable, its default and what it is for. */
    public static String table(JsonCodec<?> codec, Map<String, String> shortNames) {
        StringBuilder out = new StringBuilder("| setting | variable | default | meaning |\n|---|---|---|---|\n");
        for (Setting setting : Setting.of(codec.schema())) {
            out.append("| `").append(setting.path()).append("` | ");
            if (setting.isPlain()) {
                out.append('`').append(setting.variable()).append('`');
                shortNames.forEach((variable, path) -> {
                    if (path.equals(setting.path())) {
                        out.append(", `").append(variable).append('`');
                    }
                });
            } else {
                out.append('–');
            }
            out.append(" | ")
                    .append(fallback(setting))
                    .append(" | ")
                    .append(setting.description().replace("|", "\\|").replace("<", "&lt;"))
                    .append(" |\n");
        }
        return out.toString();
    }

    private static String fallback(Setting setting) {
        JsonValue fallback = setting.fallback();
        if (fallback == null) {
            String within = setting.within().isEmpty() ? "" : " with `" + setting.within() + "`";
            return setting.required() ? "required" + within : "none";
        }
        JsonWriter out = new JsonWriter();
        out.jsonValue(fallback);
        String text = new String(out.toBytes(), StandardCharsets.UTF_8);
        return text.equals("{}") ? "none" : "`" + text.replace("\"", "") + "`";
    }
}
