package dev.flotilla.cli.site.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapHoldCheckTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{postRunCommands: [snap refresh --hold k8s]} | true",
                "{preRunCommands: [\"apt update\", \"sudo snap refresh  k8s --hold=forever\"]} | true",
                "{files: [{path: /x, content: \"#!/bin/sh\\nsnap refresh --hold k8s\\n\"}]} | true",
                "{postRunCommands: [snap refresh k8s]} | false",
                "{postRunCommands: [snap refresh --unhold k8s]} | false",
                "{postRunCommands: [\"snap refresh k8s; echo --hold\"]} | false",
                "{controlPlane: {microclusterPort: 2380}, airGapped: true} | false",
            })
    void findsAHoldInCommandsAndFiles(String spec, boolean held) {
        assertThat(SnapHoldCheck.isHeld(((ParseResult.ParsedDocument) YamlReader.read(spec, 1_000)).value()))
                .isEqualTo(held);
    }

    @Test
    void countsConfigsThatDoNotHoldTheSnap() {
        assertThat(SnapHoldCheck.isHeld(null)).isFalse();
        assertThat(SnapHoldCheck.checkNodes(0, 0, "").line()).isEqualTo("ok       snap hold: there are no CK8sConfigs");
        assertThat(SnapHoldCheck.checkNodes(9, 0, "").line()).startsWith("ok       snap hold: all 9 CK8sConfigs hold");
        assertThat(SnapHoldCheck.checkNodes(9, 2, "fleet/w-1").line())
                .startsWith(
                        "differs  snap hold: 2 of 9 CK8sConfigs do not hold their node's snap, the first is fleet/w-1: ")
                .contains("`snap refresh --hold k8s` to postRunCommands");
    }
}
