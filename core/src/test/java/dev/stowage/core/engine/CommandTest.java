package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.core.engine.Command.Kind;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.PolicySpec;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A command as a line, and what an engine hears of it. */
class CommandTest {
    private final List<String> heard = new ArrayList<>();

    private final Commands engine = (Commands) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Commands.class}, (proxy, method, arguments) -> {
                heard.add(method.getName() + " "
                        + Arrays.stream(arguments).map(CommandTest::text).collect(Collectors.joining(" ")));
                return null;
            });

    private static String text(Object argument) {
        return argument instanceof long[] longs
                ? Arrays.toString(longs)
                : argument instanceof Constraints constraints
                        ? "at " + constraints.sites()
                        : argument instanceof NewRequest one
                                ? one.id() + "/" + Arrays.toString(one.demand()) + "/"
                                        + one.constraints().sites() + "/" + one.priority()
                                        + (one.agent() ? "/agent" : "")
                                        + (one.expectedNanos() == 0 ? "" : "/expects " + one.expectedNanos())
                                : argument instanceof List<?> list
                                        ? list.stream()
                                                .map(CommandTest::text)
                                                .toList()
                                                .toString()
                                        : argument.toString().isEmpty() ? "none" : argument.toString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        arrive at=5 id=7 type=2 | arrive 5 7 2
        arrive-with at=5 id=7 type=-1 demand=3,4 pooled=6 reward=8 | arrive 5 7 -1 [3, 4] [6] 8 at []
        arrive-with at=5 id=7 type=-1 demand=3 pooled= reward=8 sites=1,2 | arrive 5 7 -1 [3] [] 8 at [1, 2]
        arrive-with at=5 id=7 type=-1 demand=3 pooled= reward=8 priority=-2 agent=yes | arrive 5 7/[3]/[]/-2/agent
        arrive-with at=5 id=7 type=-1 demand=3 pooled= reward=8 expected=60 | arrive 5 7/[3]/[]/0/expects 60
        gang at=5 | arriveTogether 5 []
        gang at=5 + id=7 type=-1 demand=3 pooled= reward=8 + id=8 type=0 demand=4 pooled= reward=0 sites=1 agent=yes \
        | arriveTogether 5 [7/[3]/[]/0, 8/[4]/[1]/0/agent]
        adopt at=5 id=7 type=-1 demand=3 pooled= reward=8 priority=4 server=2 | adopt 5 7/[3]/[]/4 2 0
        adopt at=5 id=7 type=-1 demand=3 pooled= reward=8 server=2 devices=0,2 | adopt 5 7/[3]/[]/0 2 5
        resize at=6 server=3 capacity=10,20 devices=1,63 | resizeServer 6 3 [10, 20] -9223372036854775806
        resize at=6 server=3 capacity=10,20 | resizeServer 6 3 [10, 20] 0
        started at=6 id=7 | started 6 7
        start-failed at=6 id=7 | startFailed 6 7
        stop at=6 id=7 | stop 6 7
        stopped at=6 id=7 | stopped 6 7
        evict at=6 id=7 | evict 6 7
        drain-moving at=6 server=3 gap=9 | drainServer 6 3 9
        heartbeat at=6 server=3 incarnation=2 lease=10 grace=20 | heartbeat 6 3 2 10 20
        report at=6 server=3 incarnation=2 ids=7,8 | report 6 3 2 [7, 8]
        report at=6 server=3 incarnation=2 ids= | report 6 3 2 []
        renew-leases at=6 from=9 | renewLeases 6 9
        leave at=6 id=7 | leave 6 7
        leave-together at=6 id=7 | leaveTogether 6 7
        tick at=9 | tick 9
        round at=9 | round 9
        add-server at=6 site=1 capacity=10,20 | addServer 6 1 [10, 20] none none
        add-site at=6 pooled=5 | addSite 6 [5]
        drain at=6 server=3 | drainServer 6 3
        return at=6 server=3 | returnServer 6 3
        remove at=6 server=3 | removeServer 6 3
        lose at=6 server=3 | loseServer 6 3
        set-policy at=6 policy=bf-j -score=leftover -x=1 | setPolicy 6 bf-j:score=leftover:x=1
        """)
    void isReadBackAndSent(String line, String call) {
        Command command = Command.parse(line);
        assertThat(command).hasToString(line);
        assertThat(Command.parse(command.toString())).isEqualTo(command);
        command.send(engine);
        assertThat(heard).containsExactly(call);
        assertThat(command.isArrival()).isEqualTo(line.startsWith("arrive") || line.startsWith("adopt"));
        assertThat(command.withAt(99).at()).isEqualTo(99);
        assertThat(command.withSubject(98).subject()).isEqualTo(98);
        assertThat(Command.parse(command.withAt(99).toString())).isEqualTo(command.withAt(99));
        assertThat(command.withSubject(command.subject())).isEqualTo(command);
        assertThat(command.withAmounts(List.of(1L), List.of(2L)).amounts()).containsExactly(1L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        stay at=5 | unknown command 'stay'
        leave at=5 | 'leave at=5' has no id=
        gang at=5 + id=1 | 'gang at=5 + id=1' has no type=
        arrive-with at=5 id=7 type=-1 demand=3 pooled= reward=8 agent=1 \
        | agent=1 in 'arrive-with at=5 id=7 type=-1 demand=3 pooled= reward=8 agent=1' is neither yes nor no
        leave at=5 id | 'id' in 'leave at=5 id' is not name=value
        """)
    void mistakes(String line, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Command.parse(line))
                .withMessage(message);
    }

    @ParameterizedTest
    @CsvSource({"ARRIVE", "LEAVE", "DRAIN"})
    void onlyOwnDemandsAreLimitedToSites(Kind kind) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Command.plain(kind, 5, 7).limitedTo(List.of(1)))
                .withMessageContaining("only an arrival with its own demand");
        assertThat(Command.setPolicy(5, PolicySpec.of("a", Map.of("b", "c"))).policy())
                .isEqualTo(PolicySpec.of("a", Map.of("b", "c")));
    }
}
