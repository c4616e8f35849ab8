package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.policy.PolicySpec;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
    /** "Fails" where an arrival is followed by a loss of a server and a departure: three commands are the least. */
    private static boolean fails(Scenario scenario) {
        int stage = 0;
        for (Command command : scenario.log().commands()) {
            boolean next = switch (stage) {
                case 0 -> command.isArrival();
                case 1 -> command.kind() == Command.Kind.LOSE;
                case 2 -> command.kind() == Command.Kind.LEAVE;
                default -> false;
            };
            stage += next ? 1 : 0;
        }
        return stage == 3;
    }

    @Test
    void randomLogsShrinkToTheLeastThatFails() {
        Fuzz fuzz = Fuzz.of(getClass(), Samples.FACTORY, PolicySpec.of("fcfs"));
        int failing = 0;
        for (long seed = 1; seed <= 300; seed++) {
            Scenario scenario = fuzz.scenario(seed);
            if (fails(scenario)) {
                failing++;
                Scenario minimal = Shrinker.shrink(scenario, ShrinkerTest::fails);
                assertThat(minimal.log().size())
                        .as("seed %d: %s", seed, minimal.log())
                        .isEqualTo(3);
                assertThat(minimal.log().commands().get(2).at()).as("times").isZero();
                assertThat(minimal.log().commands().get(0).amounts()).allMatch(amount -> amount <= 0);
                assertThat(minimal.cluster().sites())
                        .allSatisfy(site -> assertThat(site.servers()).allMatch(block -> block.count() == 0));
            }
        }
        assertThat(failing).isGreaterThan(20);
    }

    @Test
    void whatDoesNotShrinkStays() {
        Scenario scenario =
                Fuzz.of(getClass(), Samples.FACTORY, PolicySpec.of("fcfs")).scenario(3);
        Scenario kept = Shrinker.shrink(scenario, scenario::equals);
        assertThat(kept).isEqualTo(scenario);
    }
}
