package dev.flotilla.nodeupgrader;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;

/** Objects from YAML. */
public final class KubeObjects {
    private KubeObjects() {}

    public static KubeObject parse(String yaml) {
        if (YamlReader.read(yaml, DocumentLimits.SPECIFICATION_BYTES) instanceof ParseResult.ParsedDocument document
                && document.value() instanceof JsonObjectReader json) {
            return new KubeObject(json);
        }
        throw new IllegalArgumentException(yaml);
    }
}
