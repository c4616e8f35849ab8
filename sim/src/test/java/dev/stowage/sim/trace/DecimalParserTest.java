package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecimalParserTest {
    private final DecimalParser parser = new DecimalParser();

    @ParameterizedTest
    @CsvSource({
        "0, 1000, 0, 0",
        "2, 1000, 2000, 0",
        "1.75, 1024, 1792, 0",
        ".5, 1000, 500, 0",
        "5., 10, 50, 0",
        "1e3, 10, 10000, 0",
        "' 7 ', 1, 7, 0",
        "+7, 1, 7, 0",
        "-0, 5, 0, 0",
        "9223372036854775807, 1, 9223372036854775807, 0",
        // 0.0004244 x 10^6 = 424.4: up to 425, 0.6 / 424.4 too much
        "0.0004244, 1000000, 425, 0.001413760603",
        // 1e-9 x 10^6 = 0.001: up to 1, 999 times the value too much
        "1e-9, 1000000, 1, 999",
    })
    void readsAndRoundsUp(String text, long factor, long value, double error) {
        assertThat(parser.parse(text, factor, RoundingMode.CEILING)).isNull();
        assertThat(parser.value()).isEqualTo(value);
        assertThat(parser.relativeError()).isCloseTo(error, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({
        "'', is not a number",
        "abc, is not a number",
        "., is not a number",
        "1.2.3, is not a number",
        "1_000, is not a number",
        "NaN, is not finite",
        "-Infinity, is not finite",
        "inf, is not finite",
        "-1, is negative",
        "-1e-9, is negative",
        "9223372036854775808, is too large",
        "1e19, is too large",
        "1e999999999, is too large",
    })
    void saysWhatIsWrong(String text, String problem) {
        assertThat(parser.parse(text, 1, RoundingMode.FLOOR)).isEqualTo(problem);
    }

    @Test
    void tinyNumbersNeedNoHugePowers() {
        assertThat(parser.parse("1e-999999999", 1, RoundingMode.CEILING)).isNull();
        assertThat(parser.value()).isEqualTo(1);
        assertThat(parser.parse("1e-999999999", 1, RoundingMode.FLOOR)).isNull();
        assertThat(parser.value()).isZero();
    }

    @Test
    void agreesWithBigDecimal() {
        long seed = 20260101;
        SplittableRandom random = new SplittableRandom(seed);
        long[] factors = {1, 10, 1000, 1024, 1_000_000, 1_000_000_000L, 86_400_000_000_000L};
        for (int i = 0; i < 100_000; i++) {
            int digits = 1 + random.nextInt(20);
            StringBuilder text = new StringBuilder();
            int point = random.nextInt(2 * digits);
            for (int d = 0; d < digits; d++) {
                text.append(d == point ? "." : "").append((char) ('0' + random.nextInt(10)));
            }
            long factor = factors[random.nextInt(factors.length)];
            RoundingMode mode = random.nextBoolean() ? RoundingMode.CEILING : RoundingMode.FLOOR;
            BigDecimal exact = new BigDecimal(text.toString())
                    .multiply(BigDecimal.valueOf(factor))
                    .setScale(0, mode);
            String problem = parser.parse(text.toString(), factor, mode);
            String what = "seed " + seed + ", case " + i + ": " + text + " x " + factor + " " + mode;
            if (exact.toBigInteger().bitLength() > 63) {
                assertThat(problem).as(what).isEqualTo(DecimalParser.TOO_LARGE);
            } else {
                assertThat(problem).as(what).isNull();
                assertThat(parser.value()).as(what).isEqualTo(exact.longValueExact());
            }
        }
    }
}
