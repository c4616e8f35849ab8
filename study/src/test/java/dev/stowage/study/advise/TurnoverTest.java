package dev.stowage.study.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class TurnoverTest {
    @Test
    void allThatHappenedIsCounted() {
        Turnover.Kind kind = Turnover.observed("a", 8, 10, 6, 40, 16, 200);
        assertThat(kind.lifeHours().value()).isEqualTo(12.5);
        // Poisson's exact 95 % for 16 are 9.145 to 25.983.
        assertThat(kind.lifeHours().low()).isCloseTo(200 / 25.983, within(.02));
        assertThat(kind.lifeHours().high()).isCloseTo(200 / 9.145, within(.1));
        assertThat(kind.rate().value()).isEqualTo(5);
        assertThat(kind.longRun()).isEqualTo(62.5);
        Turnover.Kind stays = Turnover.observed("b", 8, 10, 10, 0, 0, 80);
        assertThat(stays.lifeHours().value()).isNull();
        assertThat(stays.lifeHours().high()).isNull();
        // None of a Poisson count: at most 3.689.
        assertThat(stays.lifeHours().low()).isCloseTo(80 / 3.689, within(.2));
        assertThat(stays.rate().value()).isZero();
        assertThatThrownBy(() -> Turnover.observed("c", 0, 0, 0, 0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theIntervalsOfARecordingHoldTheTruthNineteenTimesInTwenty() {
        Random random = new Random(6);
        int lives = 0;
        int rates = 0;
        for (int run = 0; run < 400; run++) {
            // 60 an hour that stay for 3 h each, recorded for 2 h.
            int before = poisson(random, 180);
            int stayed = 0;
            int left = 0;
            double hoursRun = 0;
            for (int i = 0; i < before; i++) {
                double life = -3 * Math.log(1 - random.nextDouble());
                stayed += life > 2 ? 1 : 0;
                left += life > 2 ? 0 : 1;
                hoursRun += Math.min(2, life);
            }
            int came = poisson(random, 120);
            for (int i = 0; i < came; i++) {
                double until = 2 * random.nextDouble();
                double life = -3 * Math.log(1 - random.nextDouble());
                left += life > until ? 0 : 1;
                hoursRun += Math.min(until, life);
            }
            Turnover.Kind kind = Turnover.observed("a", 2, before, stayed, came, left, hoursRun);
            lives += holds(kind.lifeHours(), 3) ? 1 : 0;
            rates += holds(kind.rate(), 60) ? 1 : 0;
        }
        assertThat(lives).isBetween(366, 394);
        assertThat(rates).isBetween(366, 394);
    }

    private static boolean holds(Turnover.Range range, double truth) {
        Double high = range.high();
        return range.low() <= truth && (high == null || truth <= high);
    }

    private static int poisson(Random random, double mean) {
        int count = -1;
        for (double sum = 0; sum < mean; count++) {
            sum -= Math.log(1 - random.nextDouble());
        }
        return count;
    }

    @Test
    void badNumbersAreRefused() {
        assertThatThrownBy(() -> Turnover.observed("a", 0, 1, 1, 1, 0, 1)).hasMessageContaining("in 0.0 h");
        assertThatThrownBy(() -> Turnover.observed("a", 1, 1, 2, 1, 0, 1)).hasMessageContaining("2 of 1 stayed");
    }
}
