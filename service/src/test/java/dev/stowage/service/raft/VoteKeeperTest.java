package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.directory.VoteFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VoteKeeperTest {
    @TempDir
    Path group;

    private final List<String> failures = new ArrayList<>();
    private final VoteKeeper votes = new VoteKeeper(failures::add);

    @AfterEach
    void close() throws IOException {
        votes.close();
    }

    /** What a candidate sees. */
    private static final class Call extends ServerCall<RequestVoteRequestProto, RequestVoteReplyProto> {
        final List<String> seen = new ArrayList<>();
        private final Path group;

        Call(Path group) {
            this.group = group;
        }

        @Override
        public void request(int messages) {}

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public void sendMessage(RequestVoteReplyProto message) {
            try {
                seen.add(message.getServerReply().getSuccess() + " with " + VoteFile.read(group));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            seen.add(status.getCode().name());
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public MethodDescriptor<RequestVoteRequestProto, RequestVoteReplyProto> getMethodDescriptor() {
            throw new UnsupportedOperationException();
        }
    }

    private List<String> ask(String candidate, long term, boolean early, boolean granted) {
        Call call = new Call(group);
        ServerCallHandler<RequestVoteRequestProto, RequestVoteReplyProto> ratis =
                (answer, headers) -> new ServerCall.Listener<RequestVoteRequestProto>() {
                    @Override
                    public void onMessage(RequestVoteRequestProto message) {
                        answer.sendMessage(RequestVoteReplyProto.newBuilder()
                                .setServerReply(RaftRpcReplyProto.newBuilder().setSuccess(granted))
                                .setTerm(term)
                                .build());
                        answer.close(Status.OK, new Metadata());
                    }
                };
        votes.interceptCall(call, new Metadata(), ratis)
                .onMessage(RequestVoteRequestProto.newBuilder()
                        .setServerRequest(
                                RaftRpcRequestProto.newBuilder().setRequestorId(ByteString.copyFromUtf8(candidate)))
                        .setCandidateTerm(term)
                        .setPreVote(early)
                        .build());
        return call.seen;
    }

    @Test
    void aVoteIsKeptBeforeItLeaves() throws IOException {
        votes.open(group, null);
        assertThat(ask("n2", 7, false, true)).containsExactly("true with Vote[term=7, candidate=n2]", "OK");
        // Neither a refusal nor what a candidate asks beforehand is a vote.
        assertThat(ask("n3", 8, false, false)).containsExactly("false with Vote[term=7, candidate=n2]", "OK");
        assertThat(ask("n3", 9, true, true)).containsExactly("true with Vote[term=7, candidate=n2]", "OK");
        assertThat(failures).isEmpty();
    }

    @Test
    void aVoteThatCannotBeKeptIsNotGiven() throws IOException {
        assertThat(ask("n2", 7, false, true)).containsExactly("UNAVAILABLE");
        votes.open(group, null);
        votes.keep(7, "n1");
        assertThat(ask("n2", 7, false, true)).containsExactly("UNAVAILABLE");
        assertThat(failures)
                .containsExactly(
                        "its vote in term 7 cannot be stored: there is no group yet",
                        "its vote in term 7 cannot be stored: in term 7 n1 has the vote already");
    }
}
