package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0",
                "1|1",
                "0.5|0.5",
                "12.345|12.3",
                "1234567|1,234,567",
                "0.00123|0.00123",
                "-2.50|-2.5",
                "99.96|100",
                "1e-12|0"
            })
    void plainShowsAboutThreeDigits(double value, String text) {
        assertThat(Numbers.plain(value)).isEqualTo(text);
    }

    @Test
    void isTheSameInEveryLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.GERMANY);
            assertThat(Numbers.fixed(1234.5, 1)).isEqualTo("1,234.5");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void hasNoNegativeZero() {
        assertThat(Numbers.fixed(-0.001, 1)).isEqualTo("0.0");
    }

    /** The half-width to two digits, the mean as far: 3.4176 h ± 0.0812 h is 3.418 ± 0.081 h. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TIME|0.0012||1.20 ms",
                "TIME|0.0000012||1.20 µs",
                "TIME|0||0 s",
                "TIME|12303.36|292.32|3.418 ± 0.081 h",
                "TIME|90|4.5|1.500 ± 0.075 min",
                "TIME|492480||5.70 d",
                "FRACTION|0.7123||71.2 %",
                "FRACTION|0.7123|0.0042|71.23 ± 0.42 %",
                "FRACTION|0|0|0 %",
                "FRACTION|0.7123|1e-16|71.2 %",
                "COUNT|1234.4|56|1,234 ± 56",
                "COUNT|1234||1,234",
                "COUNT|3|Infinity|3",
                "COUNT|NaN||–",
            })
    void estimates(Quantity quantity, double mean, Double half, String text) {
        assertThat(quantity.format(mean, half)).isEqualTo(text);
    }

    @Test
    void givenTimesHaveNoZerosAtTheEnd() {
        assertThat(Quantity.TIME.plain(5.7 * 86400)).isEqualTo("5.7 d");
        assertThat(Quantity.TIME.plain(21600)).isEqualTo("6 h");
        assertThat(Quantity.FRACTION.plain(0.95)).isEqualTo("95 %");
    }
}
