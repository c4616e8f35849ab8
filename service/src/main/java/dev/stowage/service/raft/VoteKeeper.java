package dev.stowage.service.raft;

import dev.stowage.service.directory.VoteFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.server.storage.RaftStorageMetadata;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each vote in a {@link VoteFile} before anybody hears of it: one that is given to another member, before the
 * answer leaves this node; this member's own, before it leads. A vote that cannot be kept is not given.
 */
final class VoteKeeper implements ServerInterceptor, Closeable {
    private final Consumer<String> failure;
    private volatile @Nullable VoteFile file;

    /**
     * Without a file.
     *
     * @param failure called with the reason, if a vote cannot be kept
     */
    VoteKeeper(Consumer<String> failure) {
        this.failure = failure;
    }

    /**
     * Opens the file of a group.
     *
     * @param known what Ratis has
     */
    void open(Path group, @Nullable RaftStorageMetadata known) throws IOException {
        close();
        VoteFile opened = VoteFile.open(group);
        file = opened;
        String candidate = known == null ? "" : known.getVotedFor().toString();
        if (known != null && !candidate.isEmpty()) {
            opened.keep(known.getTerm(), candidate);
        }
    }

    /** Keeps a vote, or says that it must not be given. */
    void keep(long term, String candidate) throws IOException {
        VoteFile open = file;
        try {
            if (open == null) {
                throw new IOException("there is no group yet");
            }
            open.keep(term, candidate);
        } catch (IOException e) {
            failure.accept("its vote in term " + term + " cannot be stored: " + e.getMessage());
            throw e;
        }
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        KeptVote<Q, R> answer = new KeptVote<>(call);
        return new SimpleForwardingServerCallListener<>(next.startCall(answer, headers)) {
            @Override
            public void onMessage(Q message) {
                answer.asked = message;
                super.onMessage(message);
            }
        };
    }

    /** A call whose answer waits for what it promises to be kept. */
    private final class KeptVote<Q, R> extends SimpleForwardingServerCall<Q, R> {
        private @Nullable Q asked;
        private boolean failed;

        KeptVote(ServerCall<Q, R> call) {
            super(call);
        }

        @Override
        public void sendMessage(R message) {
            if (message instanceof RequestVoteReplyProto reply
                    && reply.getServerReply().getSuccess()
                    && asked instanceof RequestVoteRequestProto vote
                    && !vote.getPreVote()) {
                try {
                    keep(
                            vote.getCandidateTerm(),
                            vote.getServerRequest().getRequestorId().toStringUtf8());
                } catch (IOException e) {
                    failed = true;
                    super.close(Status.UNAVAILABLE.withDescription("the vote cannot be stored"), new Metadata());
                }
            }
            if (!failed) {
                super.sendMessage(message);
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (!failed) {
                super.close(status, trailers);
            }
        }
    }

    @Override
    public void close() throws IOException {
        VoteFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }
}
