package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextStyleTest {
    /** Each text is one column too long for its line, and the blank before its unit the last one. */
    @Test
    void aNumberStaysWithItsUnit() {
        assertThat(TextStyle.wrapped("all of it is 38.7 %", 18)).containsExactly("all of it is", "38.7 %");
        assertThat(TextStyle.wrapped("5 x R650 (16 vCPU, 128 GiB), for", 25))
                .containsExactly("5 x R650 (16 vCPU,", "128 GiB), for");
        assertThat(TextStyle.wrapped("it waited for 1.8 h.", 18)).containsExactly("it waited for", "1.8 h.");
        assertThat(TextStyle.wrapped("at most 20 servers", 10)).containsExactly("at most 20", "servers");
        assertThat(TextStyle.wrapped("of 12 h/day", 6)).containsExactly("of 12", "h/day");
    }

    @Test
    void anOptionStaysWithItsValue() {
        assertThat(TextStyle.wrapped("write --growth \"30 %\" for it", 12))
                .containsExactly("write", "--growth \"30 %\"", "for it");
    }
}
