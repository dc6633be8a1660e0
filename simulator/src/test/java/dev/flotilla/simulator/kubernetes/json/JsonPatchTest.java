package dev.flotilla.simulator.kubernetes.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPatchTest {

    /** Examples of RFC 7386, appendix A. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":\"b\"} | {\"a\":\"c\"} | {\"a\":\"c\"}",
                "{\"a\":\"b\"} | {\"b\":\"c\"} | {\"a\":\"b\",\"b\":\"c\"}",
                "{\"a\":\"b\"} | {\"a\":null} | {}",
                "{\"a\":[\"b\"]} | {\"a\":\"c\"} | {\"a\":\"c\"}",
                "{\"a\":{\"b\":\"c\"}} | {\"a\":{\"b\":\"d\",\"c\":null}} | {\"a\":{\"b\":\"d\"}}",
                "{\"e\":null} | {\"a\":1} | {\"e\":null,\"a\":1}",
                "{} | {\"a\":{\"bb\":{\"ccc\":null}}} | {\"a\":{\"bb\":{}}}"
            })
    void mergePatchFollowsTheStandard(String before, String patch, String after) {
        assertThat(serialize(JsonMergePatch.apply(parse(before), parse(patch)))).isEqualTo(after);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":[1,3]} | add | /a/1 | 2 | {\"a\":[1,2,3]}",
                "{\"a\":[1]} | add | /a/- | 2 | {\"a\":[1,2]}",
                "{\"a\":{}} | add | /a/x~1y~0z | 1 | {\"a\":{\"x/y~z\":1}}",
                "{\"a\":[1,2]} | replace | /a/0 | 3 | {\"a\":[3,2]}",
                "{\"a\":[1,2]} | remove | /a/0 | 0 | {\"a\":[2]}",
                "{\"a\":{\"b\":1,\"c\":2}} | remove | /a/b | 0 | {\"a\":{\"c\":2}}",
                "{\"a\":1} | test | /a | 1 | {\"a\":1}",
                "{\"a\":{}} | test | /a/b | null | {\"a\":{}}"
            })
    void jsonPatchFollowsTheStandard(String before, String op, String path, String value, String after) {
        assertThat(serialize(applyOperation(before, op, path, value))).isEqualTo(after);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1} | test | /a | 2",
                "{\"a\":1} | test | /a | null",
                "{\"a\":{}} | test | /b/c | null",
                "{\"a\":1} | remove | /b | 0",
                "{\"a\":1} | replace | /b | 0",
                "{\"a\":1} | add | /b/c | 0",
                "{\"a\":[1]} | add | /a/2 | 0",
                "{\"a\":[1]} | replace | /a/- | 0",
                "{\"a\":1} | grow | /a | 0"
            })
    void rejectsImpossibleOperations(String before, String op, String path, String value) {
        assertThat(applyOperation(before, op, path, value)).isNull();
    }

    @Test
    void movesAndCopies() {
        JsonValue document = parse("{\"a\":1,\"b\":{}}");
        assertThat(serialize(JsonPatch.apply(
                        document,
                        ImmutableJson.list(parse("{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/b/c\"}"))
                                .items())))
                .isEqualTo("{\"b\":{\"c\":1}}");
        assertThat(serialize(JsonPatch.apply(
                        document,
                        ImmutableJson.list(parse("{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b/c\"}"))
                                .items())))
                .isEqualTo("{\"a\":1,\"b\":{\"c\":1}}");
    }

    @Test
    void comparesObjectsWithoutAndListsWithOrder() {
        assertThat(ImmutableJson.same(parse("{\"a\":1,\"b\":{\"c\":2}}"), parse("{\"b\":{\"c\":2},\"a\":1}")))
                .isTrue();
        assertThat(ImmutableJson.same(parse("[1,2]"), parse("[2,1]"))).isFalse();
        assertThat(ImmutableJson.same(parse("{\"a\":1}"), parse("{\"a\":1,\"b\":2}")))
                .isFalse();
    }

    private static JsonValue applyOperation(String before, String op, String path, String value) {
        JsonValue operation = ImmutableJson.object("op", op, "path", path, "value", parse(value));
        return JsonPatch.apply(parse(before), ImmutableJson.list(operation).items());
    }

    private static JsonValue parse(String text) {
        return ImmutableJson.read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String serialize(JsonValue jsonValue) {
        return new String(ImmutableJson.bytes(jsonValue), StandardCharsets.UTF_8);
    }
}
