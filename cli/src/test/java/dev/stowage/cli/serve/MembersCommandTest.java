package dev.stowage.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.stowage.cli.Program;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.Member;
import dev.stowage.service.v1.OperationsGrpc;
import dev.stowage.service.v1.Status;
import dev.stowage.service.v1.TransferLeadershipRequest;
import io.grpc.Metadata;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who leads after the leader is removed. */
final class MembersCommandTest {
    private static Member member(String node, long behind, long silentMillis) {
        return Member.newBuilder()
                .setNode(node)
                .setBehind(behind)
                .setSilentMillis(silentMillis)
                .build();
    }

    private static Status status(String asked, Member... others) {
        Status.Builder status =
                Status.newBuilder().setNode(asked).setLeader("n1").addMembers(member("n1", 0, 0));
        for (Member other : others) {
            status.addMembers(other);
        }
        return status.build();
    }

    /** One that another node did not take over may succeed later. */
    @Test
    void aTransferIsSaidAndWhyOneFails() {
        Metadata refused = new Metadata();
        refused.put(Metadata.Key.of("stowage-reason", Metadata.ASCII_STRING_MARSHALLER), "NO_TRANSFER");
        Server server = Server.builder()
                .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .service(GrpcService.builder()
                        .addService(new OperationsGrpc.OperationsImplBase() {
                            @Override
                            public void getStatus(Empty request, StreamObserver<Status> answer) {
                                answer.onNext(status("n1", member("n2", 0, 10)));
                                answer.onCompleted();
                            }

                            @Override
                            public void transferLeadership(
                                    TransferLeadershipRequest request, StreamObserver<Status> answer) {
                                if (request.getTo().equals("n3")) {
                                    answer.onNext(status("n1"));
                                    answer.onCompleted();
                                    return;
                                }
                                answer.onError(io.grpc.Status.FAILED_PRECONDITION
                                        .withDescription("NO_TRANSFER: node '" + request.getTo()
                                                + "' did not take over in time; 'n1' still leads, nothing is changed")
                                        .asRuntimeException(refused));
                            }
                        })
                        .build())
                .build();
        server.start().join();
        try {
            Program lead = Program.wide("members", "--leader", "n2", "--at", "127.0.0.1:" + server.activeLocalPort());
            assertThat(lead.code()).isEqualTo(1);
            assertThat(lead.err())
                    .contains("NO_TRANSFER: node 'n2' did not take over in time; 'n1' still leads, nothing is changed");
            Program done = Program.run("members", "--leader", "n3", "--at", "127.0.0.1:" + server.activeLocalPort());
            assertThat(done.code()).as(done.err()).isZero();
            assertThat(done.out()).isEqualTo("node n3: leads now\n");
            Program both = Program.run("members", "--leader", "n2", "--remove", "n1");
            assertThat(both.code()).isEqualTo(2);
        } finally {
            server.stop().join();
        }
    }

    @Test
    void aNodeHasItsNameWhereOneMemberIsOfIt() {
        Member old = Member.newBuilder().setNode("n3").setMember("n3").build();
        Member joined = old.toBuilder().setMember("n3#4711").build();
        assertThat(MembersCommand.name(joined, List.of(member("n1", 0, 0), joined)))
                .isEqualTo("n3");
        assertThat(MembersCommand.name(joined, List.of(old, joined))).isEqualTo("n3#4711");
        assertThat(MembersCommand.name(old, List.of(old, joined))).isEqualTo("n3");
    }

    @Test
    void aNodeThatIsNotHeardIsSilent() {
        assertThat(MembersCommand.role(member("n1", 0, 0), "n1")).isEqualTo("leader");
        assertThat(MembersCommand.role(member("n2", 0, 90), "n1")).isEqualTo("follower");
        assertThat(MembersCommand.role(member("n3", 0, 35_800), "n1")).isEqualTo("silent");
    }

    @Test
    void theOneWithMostOfTheLogLeads() {
        assertThat(MembersCommand.successor(status("n1", member("n2", 3, 10), member("n3", 0, 90))))
                .isEqualTo("n3");
        // Little is behind where nothing has been committed since it went down.
        assertThat(MembersCommand.successor(
                        status("n1", member("n2", 0, 60_000), member("n3", 4, 90), member("n4", 5, 80))))
                .isEqualTo("n3");
        assertThat(MembersCommand.successor(
                        status("n1", member("n2", -1, -1), member("n3", 4, 90), member("n4", 5, 80))))
                .isEqualTo("n3");
    }

    @Test
    void withoutAMajorityOfTheOthersItRemains() {
        assertThatThrownBy(() -> MembersCommand.successor(status("n1", member("n2", 0, 60_000), member("n3", 0, 90))))
                .isInstanceOf(CallFailedException.class)
                .hasMessageContaining("no answer from n2;");
        assertThatThrownBy(() -> MembersCommand.successor(status("n3", member("n2", -1, -1), member("n3", -1, -1))))
                .isInstanceOf(CallFailedException.class)
                .hasMessageContaining("nothing is changed");
        assertThatThrownBy(() -> MembersCommand.successor(status("n1"))).isInstanceOf(BadInputException.class);
    }
}
