package dev.stowage.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.stowage.cli.Program;
import dev.stowage.report.TextStyle;
import dev.stowage.service.v1.ChangeReply;
import dev.stowage.service.v1.ChangeServerRequest;
import dev.stowage.service.v1.Device;
import dev.stowage.service.v1.DryRunMovesRequest;
import dev.stowage.service.v1.ListReply;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.Moves;
import dev.stowage.service.v1.OperationsGrpc;
import dev.stowage.service.v1.Request;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ServersCommandTest {
    /** The drain was not carried out. */
    @Test
    void aDrainNeedsNoDryRun() {
        // An older service does not know the call; a busy one asks for another attempt, for as long as it is busy.
        Metadata busy = new Metadata();
        busy.put(Metadata.Key.of("stowage-reason", Metadata.ASCII_STRING_MARSHALLER), "OVERLOADED");
        busy.put(Metadata.Key.of("stowage-retry-after-millis", Metadata.ASCII_STRING_MARSHALLER), "100");
        for (Exception refusal : List.of(
                Status.UNIMPLEMENTED.asRuntimeException(),
                Status.RESOURCE_EXHAUSTED
                        .withDescription("OVERLOADED: another dry run is under way; try again")
                        .asRuntimeException(busy))) {
            List<ChangeServerRequest> changes = new ArrayList<>();
            Server server = Server.builder()
                    .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .service(GrpcService.builder()
                            .addService(new WithoutDryRuns(refusal, changes))
                            .build())
                    .build();
            server.start().join();
            try {
                String at = "127.0.0.1:" + server.activeLocalPort();
                Program drain =
                        Program.run("servers", "--drain", "7", "--move-every", "1 h", "--at", at, "--patience", "1 d");
                assertThat(drain.code()).as(drain.err()).isZero();
                assertThat(drain.out().strip()).isEqualTo("server 7: draining; nothing new is placed there");
                assertThat(changes).hasSize(1);
                assertThat(changes.get(0).getMoveGapNanos()).isEqualTo(3_600_000_000_000L);
            } finally {
                server.stop().join();
            }
        }
    }

    /** All pages were read, to count what is not shown; if a later one failed, nothing was shown. */
    @Test
    void noMoreOfAListIsReadThanIsShown() {
        List<Integer> sizes = new ArrayList<>();
        List<ListReply> found = GetCommand.pages(ListRequest.newBuilder(), 1001, page -> {
            sizes.add(page.getPageSize());
            return ListReply.newBuilder()
                    .addAllRequests(Collections.nCopies(page.getPageSize(), Request.getDefaultInstance()))
                    .setNextPageToken("more")
                    .build();
        });
        assertThat(sizes).containsExactly(1000, 2);
        assertThat(GetCommand.requests(found)).hasSize(1002);
    }

    @Test
    void nothingIsFreeOnAServerThatIsGone() {
        dev.stowage.service.v1.Server.Builder server = dev.stowage.service.v1.Server.newBuilder()
                .setSite("a")
                .putCapacity("cpu_milli", 4000)
                .putFree("cpu_milli", 3000)
                .addDevices(Device.newBuilder().setNumber(0).setFree(500));
        String table = ServersCommand.table(
                        List.of(
                                server.setStatus("up").build(),
                                server.setServer(1).setStatus("gone").build(),
                                server.setServer(2).setSilent(true).build()),
                        1000)
                .text(TextStyle.PLAIN);
        assertThat(table).containsPattern("0 +a +up +0 +4 vCPU +3 vCPU +0.5\\n");
        assertThat(table).containsPattern("1 +a +gone +0 +4 vCPU +- +-\\n");
        assertThat(table).containsPattern("2 +a +gone, silent agent +0 +4 vCPU +- +-\\n");
    }

    /** Carries out changes of servers and refuses to say what they move. */
    private static final class WithoutDryRuns extends OperationsGrpc.OperationsImplBase {
        private final Exception refusal;
        private final List<ChangeServerRequest> changes;

        WithoutDryRuns(Exception refusal, List<ChangeServerRequest> changes) {
            this.refusal = refusal;
            this.changes = changes;
        }

        @Override
        public void dryRunMoves(DryRunMovesRequest request, StreamObserver<Moves> answer) {
            answer.onError(refusal);
        }

        @Override
        public void changeServer(ChangeServerRequest request, StreamObserver<ChangeReply> answer) {
            changes.add(request);
            answer.onNext(ChangeReply.getDefaultInstance());
            answer.onCompleted();
        }
    }
}
