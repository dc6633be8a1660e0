package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.program.HelpText;
import dev.flotilla.testkit.page.GeneratedPageSection;
import java.io.IOException;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Compares the auditor's options on the page, in its own help and in the help of the command, which does not share its
 * code.
 */
class AuditorOptionsTest {
    private static final Pattern OPTION = Pattern.compile("^ +(--[a-z-]+)", Pattern.MULTILINE);

    @Test
    void configurationPageListsAllOptions() throws IOException {
        String shown = "```\n" + options() + "```\n";
        assertThat(GeneratedPageSection.readOrRewrite(
                        CliResult.ROOT.resolve("docs/configuration.md"), "auditor", shown))
                .as("written again by -Dflotilla.rewrite=true")
                .isEqualTo(shown);
    }

    @Test
    void helpListsAllOptions() {
        List<String> options = OPTION.matcher(options())
                .results()
                .map(MatchResult::group)
                .map(String::strip)
                .toList();
        assertThat(options).contains("--tls-cert", "--freeze");
        assertThat(CliResult.flotilla("auditor", "--help").all()).contains(options);
    }

    private static String options() {
        return HelpText.TEXT.substring(HelpText.TEXT.indexOf("Options:\n"), HelpText.TEXT.indexOf("\nExit codes"));
    }
}
