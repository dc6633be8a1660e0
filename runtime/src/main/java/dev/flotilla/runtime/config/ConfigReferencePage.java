package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Generates the Markdown reference of a configuration from its codec. */
public final class ConfigReferencePage {
    private ConfigReferencePage() {}

    /** Returns a table of all settings with their variables, defaults and descriptions. */
    public static String markdownTable(JsonCodec<?> codec, Map<String, String> shortNames) {
        StringBuilder out = new StringBuilder("| setting | variable | default | meaning |\n|---|---|---|---|\n");
        for (ConfigSetting configSetting : ConfigSetting.settingsOf(codec.schema())) {
            out.append("| `").append(configSetting.path()).append("` | ");
            if (configSetting.isPlain()) {
                out.append('`').append(configSetting.environmentVariable()).append('`');
                shortNames.forEach((variable, path) -> {
                    if (path.equals(configSetting.path())) {
                        out.append(", `").append(variable).append('`');
                    }
                });
            } else {
                out.append('–');
            }
            out.append(" | ")
                    .append(fallback(configSetting))
                    .append(" | ")
                    .append(configSetting.description().replace("|", "\\|").replace("<", "&lt;"))
                    .append(" |\n");
        }
        return out.toString();
    }

    private static String fallback(ConfigSetting configSetting) {
        JsonValue fallback = configSetting.defaultValue();
        if (fallback == null) {
            String within = configSetting.parentPath().isEmpty() ? "" : " with `" + configSetting.parentPath() + "`";
            return configSetting.required() ? "required" + within : "none";
        }
        JsonWriter out = new JsonWriter();
        out.jsonValue(fallback);
        String text = new String(out.toBytes(), StandardCharsets.UTF_8);
        return text.equals("{}") ? "none" : "`" + text.replace("\"", "") + "`";
    }
}
