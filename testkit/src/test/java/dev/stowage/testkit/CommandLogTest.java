package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.engine.Command;
import dev.stowage.core.policy.PolicySpec;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommandLogTest {
    @Test
    void randomLogsOfEveryKindOfCommandReadBackAsWritten() {
        Fuzz fuzz = Fuzz.of(getClass(), Samples.FACTORY, Samples.specs())
                .siteLimits()
                .constraints()
                .overcommitment()
                .gangs()
                .agents()
                .priorities();
        Set<Command.Kind> seen = EnumSet.noneOf(Command.Kind.class);
        for (long seed = 1; seed <= 200; seed++) {
            CommandLog log = fuzz.scenario(seed).log();
            assertThat(CommandLog.parse(log.toString())).as("seed %d", seed).isEqualTo(log);
            log.commands().forEach(command -> seen.add(command.kind()));
        }
        assertThat(seen).containsExactlyInAnyOrder(Command.Kind.values());
    }

    @Test
    void theTextFormIsOneLineEach() {
        PolicySpec spec = PolicySpec.of("power-of-d", Map.of("d", "2", "at", "round"));
        CommandLog log =
                CommandLog.of(Command.arriveWith(5, 1, -1, List.of(2L, -3L), List.of(), 7), Command.setPolicy(6, spec));
        assertThat(log).hasToString("""
            arrive-with at=5 id=1 type=-1 demand=2,-3 pooled= reward=7
            set-policy at=6 policy=power-of-d -at=round -d=2
            """);
        assertThat(CommandLog.parse("# comment\n\n" + log)).isEqualTo(log);
    }

    @Test
    void aLineThatIsNoCommandIsNamed() {
        assertThatThrownBy(() -> CommandLog.parse("tick at=1\njump at=2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("line 2: unknown command 'jump'");
        assertThatThrownBy(() -> CommandLog.parse("leave at=1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("line 1: 'leave at=1' has no id=");
        assertThatThrownBy(() -> CommandLog.parse("tick 1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("line 1: '1' in 'tick 1' is not name=value");
    }
}
