package dev.flotilla.nodeworker.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.HealthCheck;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseBodyMatcherTest {
    private static byte[] bytes(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            nullValues = "-",
            value = {
                "200 | all is ok          | ok | -          | -    | -",
                "503 | all is ok          | ok | -          | -    | status 503, not 200",
                "302 | ok                 | ok | -          | -    | status 302, not 200",
                "200 | no                 | ok | -          | -    | the body does not contain \"ok\"",
                "200 | {'a': {'b/c': [1, 'up']}} | - | /a/b~1c/1 | up | -",
                "200 | {'a': true}        | -  | /a         | true | -",
                "200 | {'a': 0.5}         | -  | /a         | 0.5  | -",
                "200 | {'a': 'down'}      | -  | /a         | up   | /a is \"down\", not \"up\"",
                "200 | {'a': {}}          | -  | /a         | up   | /a is no single value, not \"up\"",
                "200 | {'a': [1]}         | -  | /a/01      | 1    | /a/01 is no single value, not \"1\"",
                "200 | <html>             | -  | /a         | up   | the body is not JSON",
            })
    void matchesServiceResponses(
            int status,
            String body,
            @Nullable String contains,
            @Nullable String pointer,
            @Nullable String equal,
            @Nullable String problem) {
        assertThat(ResponseBodyMatcher.findMismatch(
                        new HealthCheck.HttpProbe("https://a/", 200, contains, pointer, equal), status, bytes(body)))
                .isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            nullValues = "-",
            value = {
                "<= 0.01 | 0        | -",
                "<= 0.01 | 0.0100   | -",
                "<= 0.01 | 1e-3     | -",
                "<= 0.01 | 0.02     | the value is 0.02, not <= 0.01",
                "== 1    | 1        | -",
                "!= 1    | 1        | the value is 1, not != 1",
                "> -2    | -1.5     | -",
                ">= 3    | 2.999    | the value is 2.999, not >= 3",
                "< 1     | NaN      | the value is NaN, not < 1",
                "> 1     | +Inf     | the value is +Inf, not > 1",
            })
    void matchesQueryResults(String expect, String value, @Nullable String problem) {
        String body =
                "{'status':'success','data':{'resultType':'vector','result':[{'metric':{},'value':[1767225600.123,'"
                        + value + "']}]}}";
        assertThat(ResponseBodyMatcher.findMismatch(new HealthCheck.PromQlProbe("x", expect), 200, bytes(body)))
                .isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'status':'success','data':{'resultType':'vector','result':[]}} | the query gives no value",
                "{'status':'error','errorType':'bad_data','error':'parse error'} | Prometheus answers 400: parse error",
                "{'status':'success','data':{'resultType':'matrix','result':[{'values':[[1,'1']]}]}} | no instant"
                        + " value",
                "{'status':'success','data':{}} | Prometheus gives no result",
                "gateway | Prometheus answers 400 with no JSON",
            })
    void reportsQueriesWithoutAValue(String body, String problem) {
        assertThat(ResponseBodyMatcher.findMismatch(new HealthCheck.PromQlProbe("x", "== 0"), 400, bytes(body)))
                .isEqualTo(problem);
    }
}
