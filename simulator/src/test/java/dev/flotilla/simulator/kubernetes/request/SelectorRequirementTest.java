package dev.flotilla.simulator.kubernetes.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorRequirementTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "a=1 | 1 | true",
                "a==1 | 2 | false",
                "a = 1 | none | false",
                "a!=1 | none | true",
                "a!=1 | 1 | false",
                "a in (1, 2) | 2 | true",
                "a in (1, 2) | none | false",
                "a notin (1,2) | 3 | true",
                "a notin (1,2) | none | true",
                "a | 1 | true",
                "a | none | false",
                "!a | none | true",
                "!a | 1 | false"
            })
    void matchesValues(String selector, String value, boolean meets) {
        assertThat(SelectorRequirement.parseSelector(selector)).singleElement().satisfies(requirement -> {
            assertThat(requirement.key()).isEqualTo("a");
            assertThat(requirement.matches(value)).isEqualTo(meets);
        });
    }

    @Test
    void parsesSeveralRequirements() {
        assertThat(SelectorRequirement.parseSelector("a=,x.y/z in (1,2),!b"))
                .extracting(SelectorRequirement::key)
                .containsExactly("a", "x.y/z", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=b=c", "a in 1", ",", "=a", "a in (1", "a,,b"})
    void rejectsInvalidSelectors(String selector) {
        assertThat(SelectorRequirement.parseSelector(selector)).isNull();
    }
}
