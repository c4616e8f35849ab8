package dev.stowage.study.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class TurnoverTest {
    @Test
    void half() {
        // Half stays for 2 h: the mean life is 2 / ln 2 h. Of those that come, half / ln 2 are still there.
        Turnover.Kind kind = Turnover.kind("a", 2, 1000, 500, 300);
        assertThat(kind.lifeHours().value()).isCloseTo(2 / Math.log(2), within(1e-12));
        assertThat(kind.rate().value()).isCloseTo(300 * Math.log(2) / 0.5 / 2, within(1e-9));
        // Wilson: 500 of 1,000 is .4691 to .5309.
        assertThat(kind.lifeHours().low()).isCloseTo(-2 / Math.log(.4691), within(2e-3));
        assertThat(kind.lifeHours().high()).isCloseTo(-2 / Math.log(.5309), within(2e-3));
        assertThat(kind.longRun()).isCloseTo(300 / 0.5, within(1e-9));
    }

    @Test
    void whereNobodyLeftOrAllDidThereIsOnlyALimit() {
        Turnover.Kind stays = Turnover.kind("a", 10, 20, 20, 4);
        assertThat(stays.lifeHours().value()).isNull();
        assertThat(stays.lifeHours().high()).isNull();
        // Wilson: at least 20 / (20 + 3.8415) = .8389 stay.
        assertThat(stays.lifeHours().low()).isCloseTo(-10 / Math.log(.8389), within(.02));
        assertThat(stays.rate().value()).isEqualTo(.4);
        Turnover.Kind gone = Turnover.kind("b", 10, 20, 0, 4);
        assertThat(gone.lifeHours().low()).isZero();
        assertThat(gone.lifeHours().high()).isCloseTo(-10 / Math.log(1 - .8389), within(.02));
        assertThat(gone.rate().value()).isNull();
        assertThat(gone.rate().high()).isNull();
        assertThat(Turnover.kind("c", 10, 0, 0, 4).longRun()).isNull();
        // Byar, for 4: 1.08 to 10.24 (exact: 1.09 to 10.24).
        assertThat(Turnover.kind("c", 1, 0, 0, 4).rate().low()).isCloseTo(1.08, within(.01));
    }

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

    @Test
    void theIntervalsHoldTheTruthOfASimulatedClusterNineteenTimesInTwenty() {
        Random random = new Random(5);
        int lives = 0;
        int rates = 0;
        for (int run = 0; run < 400; run++) {
            // 60 an hour that stay for 3 h each, seen twice within 2 h.
            int before = poisson(random, 180);
            int stayed = 0;
            for (int i = 0; i < before; i++) {
                stayed += random.nextDouble() < Math.exp(-2.0 / 3) ? 1 : 0;
            }
            int came = poisson(random, 60 * 3 * (1 - Math.exp(-2.0 / 3)));
            Turnover.Kind kind = Turnover.kind("a", 2, before, stayed, came);
            lives += holds(kind.lifeHours(), 3) ? 1 : 0;
            rates += holds(kind.rate(), 60) ? 1 : 0;
        }
        assertThat(lives).isBetween(366, 394);
        // That of the rate takes both ends of that of the life, and so is wider than it had to be.
        assertThat(rates).isGreaterThan(380);
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
        assertThatThrownBy(() -> Turnover.kind("a", 0, 1, 1, 1)).hasMessageContaining("in 0.0 h");
        assertThatThrownBy(() -> Turnover.kind("a", 1, 1, 2, 1)).hasMessageContaining("2 of 1 stayed");
    }
}
