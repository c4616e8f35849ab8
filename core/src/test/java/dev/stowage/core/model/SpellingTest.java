package dev.stowage.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SpellingTest {
    /** Left out, added, changed, swapped; then several of them. */
    @Test
    void lettersThatDiffer() {
        assertThat(Spelling.distance("memory", "memory")).isZero();
        assertThat(Spelling.distance("memry", "memory")).isEqualTo(1);
        assertThat(Spelling.distance("memoryy", "memory")).isEqualTo(1);
        assertThat(Spelling.distance("nemory", "memory")).isEqualTo(1);
        assertThat(Spelling.distance("memroy", "memory")).isEqualTo(1);
        assertThat(Spelling.distance("emmory", "memory")).isEqualTo(1);
        assertThat(Spelling.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(Spelling.distance("", "cpu")).isEqualTo(3);
        assertThat(Spelling.distance("cpu", "")).isEqualTo(3);
        // Swapped, then one more: neighbours only count as one where nothing else is changed between them.
        assertThat(Spelling.distance("ca", "abc")).isEqualTo(3);
    }

    @Test
    void nearIsOneLetter() {
        assertThat(Spelling.isNear("powr_mw", "power_mw")).isTrue();
        assertThat(Spelling.isNear("power_mw", "power_mw")).isTrue();
        assertThat(Spelling.isNear("pow_mw", "power_mw")).isFalse();
        assertThat(Spelling.isNear("opwre_mw", "power_mw")).isFalse();
    }
}
