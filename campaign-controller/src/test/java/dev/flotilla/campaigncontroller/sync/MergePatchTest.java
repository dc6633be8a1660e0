package dev.flotilla.campaigncontroller.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {
    private static JsonObjectReader json(String text) {
        return Objects.requireNonNull(KubeObject.parse(text.replace('`', '"'))).json();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {`a`: 1}               | {`a`: 2}               | {"a":2}
            {`a`: 1, `b`: 2}       | {`a`: 1}               | {"a":1,"b":null}
            {`a`: {`x`: 1, `y`: 2}}| {`a`: {`y`: 3}}        | {"a":{"y":3,"x":null}}
            {`a`: [1, 2]}          | {`a`: [3]}             | {"a":[3]}
            {`a`: [1]}             | {`a`: {`x`: 1}}        | {"a":{"x":1}}
            {}                     | {`a`: {`x`: {`y`: 1}}} | {"a":{"x":{"y":1}}}
            """)
    void removesWhatOnlyTheObjectBeforeHas(String before, String after, String patch) {
        assertThat(KubeObject.toJsonText(MergePatch.toReplace(json(before), json(after))))
                .isEqualTo(patch);
    }
}
