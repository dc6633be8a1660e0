package dev.flotilla.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeLabelMatcherTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{} | true",
                "{'matchLabels': {'app': 'web'}} | true",
                "{'matchLabels': {'app': 'db'}} | false",
                "{'matchLabels': {'app': 'web', 'tier': 'front'}} | false",
                "{'matchExpressions': [{'key': 'app', 'operator': 'In', 'values': ['db', 'web']}]} | true",
                "{'matchExpressions': [{'key': 'app', 'operator': 'In', 'values': ['db']}]} | false",
                "{'matchExpressions': [{'key': 'app', 'operator': 'NotIn', 'values': ['db']}]} | true",
                "{'matchExpressions': [{'key': 'app', 'operator': 'NotIn', 'values': ['web']}]} | false",
                "{'matchExpressions': [{'key': 'none', 'operator': 'NotIn', 'values': ['web']}]} | true",
                "{'matchExpressions': [{'key': 'empty', 'operator': 'Exists'}]} | true",
                "{'matchExpressions': [{'key': 'none', 'operator': 'Exists'}]} | false",
                "{'matchExpressions': [{'key': 'none', 'operator': 'DoesNotExist'}]} | true",
                "{'matchExpressions': [{'key': 'app', 'operator': 'Near'}]} | false",
                "{'matchLabels': {'app': 'web'}, 'matchExpressions': [{'key': 'app', 'operator': 'DoesNotExist'}]} | false",
            })
    void matchesLabels(String selector, boolean selected) {
        KubeObject labels = parse("{'app': 'web', 'empty': ''}");
        assertThat(new KubeLabelMatcher(parse(selector)).matches(labels)).isEqualTo(selected);
    }

    private static KubeObject parse(String json) {
        return Objects.requireNonNull(KubeObject.parse(json.replace('\'', '"')));
    }
}
