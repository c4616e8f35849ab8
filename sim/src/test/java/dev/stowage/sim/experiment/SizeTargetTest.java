package dev.stowage.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SizeTargetTest {
    private static final List<String> TYPES =
            List.of("acme (2 vCPU)", "acme (4 vCPU)", "web-large", "batch", "big-disk");
    private static final long MINUTE = 60_000_000_000L;

    @Test
    void whatMayMissIt() {
        SizeRequirement rejected = one("rejected <= 0.1 %");
        assertThat(rejected.allowed(1999)).isEqualTo(1);
        assertThat(rejected.allowed(2000)).isEqualTo(2);
        assertThat(rejected.waitsForEver()).isTrue();
        assertThat(rejected.phrase()).isEqualTo("at most 0.1 % of the requests to be rejected");

        SizeRequirement longest = one("wait max <= 10 min");
        assertThat(longest.allowed(1_000_000)).isZero();
        assertThat(longest.withinNanos()).isEqualTo(10 * MINUTE);
        assertThat(longest.phrase()).isEqualTo("every request to start within 10 min");

        SizeRequirement most = one("p99.9 wait ≤ 90 s");
        assertThat(most.allowed(14_999)).isEqualTo(14);
        assertThat(most.withinNanos()).isEqualTo(90_000_000_000L);
        assertThat(most.phrase()).isEqualTo("99.9 % of the requests to start within 90 s");

        SizeRequirement waited = one("waited <= 1 %");
        assertThat(waited.allowed(250)).isEqualTo(2);
        assertThat(waited.withinNanos()).isZero();
        assertThat(one("wait p50 <= 0 s").phrase()).isEqualTo("50 % of the requests to start at once");
        assertThat(one("wait p99.95 <= 0 s").partPerMillion()).isEqualTo(500);
    }

    @Test
    void otherQuantities() {
        SizeRequirement mean = one("wait mean <= 90 s");
        assertThat(mean.kind()).isEqualTo(SizeRequirement.Kind.MEAN_WAIT);
        assertThat(mean.withinNanos()).isEqualTo(90_000_000_000L);
        assertThat(mean.phrase()).isEqualTo("the requests to wait at most 90 s on average");
        SizeRequirement waiting = one("waiting <= 2.5");
        assertThat(waiting.kind()).isEqualTo(SizeRequirement.Kind.WAITING);
        assertThat(waiting.limit()).isEqualTo(2.5);
        SizeRequirement reward = one("reward >= 12.5 / h");
        assertThat(reward.kind()).isEqualTo(SizeRequirement.Kind.REWARD);
        assertThat(reward.limit()).isEqualTo(12_500_000);
        assertThat(one("queue stable").kind()).isEqualTo(SizeRequirement.Kind.STABLE);
        SizeRequirement ofType = one("rejected of Large GPU <= 1 %");
        assertThat(ofType.type()).isEqualTo("Large GPU");
        assertThat(ofType.phrase()).isEqualTo("at most 1 % of the requests of type Large GPU to be rejected");
    }

    @Test
    void several() {
        SizeTarget target = SizeTarget.parse("rejected of a and b <= 1 % and wait p99 <= 10 min");
        assertThat(target.requirements()).hasSize(2);
        assertThat(target.requirements().get(0).type()).isEqualTo("a and b");
        assertThat(target.phrase())
                .isEqualTo(
                        "at most 1 % of the requests of type a and b to be rejected and 99 % of the requests to start"
                                + " within 10 min");
        assertThat(SizeTarget.parse("wait max <= 1 s").waitsForEver()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        // A type; all shapes of a name; regardless of case; what begins with it; what has it as a word.
        "batch, batch, 3",
        "acme, acme, 0 1",
        "acme (4 vCPU), acme (4 vCPU), 1",
        "ACME, acme, 0 1",
        "ac, acme, 0 1",
        "web, web-large, 2",
        "large, web-large, 2",
        "2 vCPU, acme (2 vCPU), 0",
        "ba, batch, 3"
    })
    void namesOfTypes(String given, String name, String numbers) {
        TypeChoice choice = TypeChoice.of(given, TYPES);
        assertThat(choice.name()).isEqualTo(name);
        assertThat(IntStream.range(0, TYPES.size())
                        .filter(choice::has)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(" ")))
                .isEqualTo(numbers);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "acmee | no type 'acmee'; did you mean 'acme'?",
                "arge | no type 'arge'; did you mean 'large'? Allowed: acme, batch, big-disk, large, web-large",
                "b | 'b' is not the name of one type: batch, big-disk",
                "vCPU | 'vCPU' is not the name of one type: acme (2 vCPU), acme (4 vCPU)",
                "tenant=acne | did you mean 'acme'?"
            })
    void namesOfNoType(String given, String says) {
        List<String> types = given.equals("arge")
                ? Stream.concat(TYPES.stream(), Stream.of("large")).toList()
                : TYPES;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TypeChoice.of(given, types))
                .withMessageContaining(says);
    }

    @Test
    void severalNamesAreNamedWithoutTheirShapes() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> TypeChoice.of("Prod", List.of("Prod-B (2 vCPU)", "Prod-B (4 vCPU)", "Prod-F (2 vCPU)")))
                .withMessageStartingWith("'Prod' is not the name of one type: Prod-B, Prod-F; name each");
    }

    /** A word before a number means all that have it there, if no other type has it. */
    @Test
    void aWordBeforeANumberMeansSeveral() {
        List<String> types = List.of("fra-sql-01", "muc-SQL-02 (2 vCPU)", "fra-app-01", "mysql-1");
        TypeChoice choice = TypeChoice.of("sql", types);
        assertThat(IntStream.range(0, types.size()).filter(choice::has)).containsExactly(0, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TypeChoice.of("sql", List.of("fra-sql-01", "fra-sql-02", "fra-sql-old")))
                .withMessageContaining("'sql' is not the name of one type: fra-sql-01, fra-sql-02, fra-sql-old; name");
    }

    @Test
    void phrasesHaveTheNameInFull() {
        SizeQuestion question = new SizeQuestion(SizeTarget.parse("waited of ac <= 1 % and wait max of web <= 1 s"));
        assertThat(question.among(TYPES).phrase())
                .isEqualTo(
                        "all but 1 % of the requests of type acme to start at once and every request of type web-large"
                                + " to start within 1 s");
        assertThat(TypeChoice.of("", TYPES).has(3)).isTrue();
    }

    private static SizeRequirement one(String text) {
        SizeTarget target = SizeTarget.parse(text);
        assertThat(target.requirements()).hasSize(1);
        return target.requirements().get(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "wait <= 10 min",
                "wait p100 <= 10 min",
                "wait p0 <= 10 min",
                "reward <= 12",
                "reward >= 0",
                "waiting <= -1",
                "wait p99 <= 1 min and",
                "wait max >= 10 min",
                "rejected <= 100 %",
                "rejected <= -1 %",
                "rejected <= 10 min",
                "waited <= 0.00000005",
                "wait max <= 10",
                "profit <= 1 %"
            })
    void whatIsNoTarget(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> SizeTarget.parse(text));
    }
}
