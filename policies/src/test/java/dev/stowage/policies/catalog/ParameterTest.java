package dev.stowage.policies.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.core.policy.PolicySpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ParameterTest {
    private final Parameter whole = Parameter.integer("n", "how many", 2, 5, 3, 2, 5);
    private final Parameter number = Parameter.number("x", "how much", .5, 1e6, 2, .5);
    private final Parameter list = Parameter.perType("per", "of each", 0, 10, "auto");

    private static Values values(Parameter parameter, String value) {
        return Values.of(PolicySpec.of("p", Map.of(parameter.name(), value)), List.of(parameter));
    }

    @Test
    void bothBoundsAreAllowed() {
        assertThat(List.of("2", "3", "5")).allMatch(whole::allows);
        assertThat(List.of("1", "6", "2.5", "", "two")).noneMatch(whole::allows);
        assertThat(List.of(".5", "0.5", "1e6", "1000000")).allMatch(number::allows);
        assertThat(List.of("0.4999", "1000000.1", "NaN", "x")).noneMatch(number::allows);
        assertThat(List.of("auto", "0", "0/10", "1/2.5/3")).allMatch(list::allows);
        assertThat(List.of("", "0/11", "1//2", "1/", "-1/2", "auto/1")).noneMatch(list::allows);
    }

    @Test
    void rangesForPeople() {
        assertThat(whole.range()).isEqualTo("a whole number from 2 to 5");
        assertThat(number.range()).isEqualTo("a number from 0.5 to 1000000");
        assertThat(list.range())
                .isEqualTo("auto | numbers from 0 to 10, one per type, separated by slashes, as in 10/2.5/3");
        assertThat(Parameter.word("unit", "", TimeUnit.DAYS).range())
                .isEqualTo("nanoseconds | microseconds | milliseconds | seconds | minutes | hours | days");
        assertThat(Parameter.flag("f", "", true).range()).isEqualTo("true | false");
    }

    @Test
    void defaultsAndSamples() {
        assertThat(whole.defaultValue()).isEqualTo("3");
        assertThat(whole.samples()).containsExactly("2", "5");
        assertThat(number.defaultValue()).isEqualTo("2");
        assertThat(number.samples()).containsExactly("0.5");
        assertThat(Parameter.flag("f", "", true).defaultValue()).isEqualTo("true");
        assertThat(Parameter.word("unit", "", TimeUnit.DAYS).samples())
                .hasSize(7)
                .contains("nanoseconds");
        assertThat(list.defaultValue()).isEqualTo("auto");
        Parameter words = whole.orWords("none", "all");
        assertThat(words.defaultValue()).isEqualTo("none");
        assertThat(words.samples()).containsExactly("2", "5", "none", "all", "3");
        assertThat(words.range()).isEqualTo("none | all | a whole number from 2 to 5");
        Parameter otherwise = whole.orElse("none");
        assertThat(otherwise.defaultValue()).isEqualTo("3");
        assertThat(otherwise.samples()).containsExactly("2", "5", "none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Parameter.integer("n", "", 2, 5, 6))
                .withMessage("default 6 of n is not allowed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Parameter.integer("n", "", 2, 5, 2, 3, 7))
                .withMessage("sample 7 of n is not allowed");
    }

    @Test
    void valuesAreRead() {
        assertThat(values(whole, "4").integer(whole)).isEqualTo(4);
        assertThat(values(number, "4").number(number)).isEqualTo(4.0);
        assertThat(values(list, "1/2.5").perType(list)).containsExactly(1, 2.5);
        assertThat(values(list, "1/2.5").isWord(list)).isFalse();
        assertThat(values(list, "auto").isWord(list)).isTrue();
        Parameter flag = Parameter.flag("f", "", true);
        assertThat(values(flag, "false").flag(flag)).isFalse();
        assertThat(Values.of(PolicySpec.of("p"), List.of(flag)).flag(flag)).isTrue();
        Parameter unit = Parameter.word("unit", "", TimeUnit.DAYS);
        assertThat(values(unit, "hours").word(unit, TimeUnit.class)).isEqualTo(TimeUnit.HOURS);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> values(whole, "4").word(whole, TimeUnit.class))
                .withMessage("n is not of TimeUnit: 4");
    }

    @Test
    void anEntryIsWhatItWasGiven() {
        Entry entry = Entry.of("key", "what", "paper", "nothing", List.of(whole), values -> {
            throw new IllegalStateException();
        });
        assertThat(entry.info()).isEqualTo(new PolicyInfo("key", "what", "paper", "nothing", List.of(whole)));
    }

    /** Two letters may differ, and a third of a longer word. */
    @Test
    void whatIsNearIsSuggested() {
        List<String> known = List.of("best-fit", "first-fit", "bf-js");
        assertThat(Suggestion.of("BestFit", known)).isEqualTo("; did you mean best-fit?");
        assertThat(Suggestion.of("bfjsx", known)).isEqualTo("; did you mean bf-js?");
        assertThat(Suggestion.of("bfjsxy", known)).isEmpty();
        assertThat(Suggestion.of("fitst-fxyt", known)).isEqualTo("; did you mean first-fit?");
        assertThat(Suggestion.of("", known)).isEmpty();
        // The first of equally near ones.
        assertThat(Suggestion.of("ac", List.of("ab", "ad"))).isEqualTo("; did you mean ab or ad?");
        assertThat(Suggestion.of("ac", List.of("abd", "ad"))).isEqualTo("; did you mean ad?");
    }
}
